package dev.stowage.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The Kubernetes project's hostpath driver, quiet and without limits. */
final class Reference extends DriverUnderTest {

    private final Path program;

    Reference(String label, Path home, Path program) throws IOException {
        super(label, home);
        this.program = program;
    }

    @Override
    List<String> command() {
        return List.of(
                program.toString(),
                "--drivername=hostpath.csi.k8s.io",
                "--v=0",
                "--endpoint=unix://" + socket(),
                "--nodeid=" + NODE,
                "--statedir=" + home().resolve("state"),
                "--enable-attach=true");
    }

    /** It cuts a listing at the wanted number and gives no token for the rest, so the only whole listing is one of everything. */
    @Override
    int pageSize() {
        return 0;
    }
}
