package dev.stowage.workbench.cluster;

/**
 * How a part of a cluster is.
 *
 * @param words what it answers when it is asked, or why it does not
 */
public record PartStatus(String part, boolean healthy, String words) {}
