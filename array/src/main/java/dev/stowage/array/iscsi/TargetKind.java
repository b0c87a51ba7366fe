package dev.stowage.array.iscsi;

/** What serves the units. */
public enum TargetKind {
    /** The kernel's target where there is one, else tgt. */
    auto,
    /** In user space, on any kernel. */
    tgt,
    /** In the kernel. */
    lio
}
