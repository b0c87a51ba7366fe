package dev.stowage.sidecar.preflight;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Looks at a node for everything that drivers commonly need of it. Which of it a driver really needs is for its administrator to know. */
public final class Preflight {

    private final HostProc proc;
    private final KernelModules modules;
    private final Path kubeletDirectory;

    /**
     * Prepares to look.
     *
     * @param proc the node's /proc, of its first pid namespace
     * @param kubeletDirectory as the node sees it
     */
    public Preflight(Path proc, Path kubeletDirectory) {
        this.proc = new HostProc(proc);
        this.modules = new KernelModules(this.proc);
        this.kubeletDirectory = kubeletDirectory;
    }

    public List<Finding> findings() {
        return List.of(
                attempt("Iscsid", () -> daemon("Iscsid", "iscsid", "iSCSI")),
                attempt("Multipath", () -> daemon("Multipath", "multipathd", "several paths to a device")),
                attempt("KernelModules", modules::look),
                attempt("KubeletDirectory", () -> KubeletDirectory.look(proc, kubeletDirectory)));
    }

    private interface Look {
        Finding take() throws IOException;
    }

    private static Finding attempt(String name, Look look) {
        try {
            return look.take();
        } catch (IOException failed) {
            return Finding.unknown(name, "the node's /proc cannot be read: " + failed);
        }
    }

    private Finding daemon(String name, String process, String purpose) throws IOException {
        return proc.runs(process)
                ? new Finding(name, true, process + " runs")
                : new Finding(
                        name, false, "no process %s runs; a driver that uses %s needs it".formatted(process, purpose));
    }
}
