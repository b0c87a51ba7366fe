package dev.stowage.array.testing;

import dev.stowage.array.iscsi.Portal;
import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A tgtd with one unit that everybody may use, as its own tools set it up: what an array that stands on tgt is compared with. */
public final class BareTarget implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NAME = "iqn.2026-01.test:bare";

    private final Path directory;
    private final Portal portal;

    public BareTarget(Portal portal, long bytes) throws IOException {
        this.directory = Files.createTempDirectory("stowage-tgt");
        this.portal = portal;
        try (var file = new RandomAccessFile(directory.resolve("unit").toFile(), "rw")) {
            file.setLength(bytes);
        }
        Commands.run(
                        PATIENCE,
                        "env",
                        socket(),
                        "tgtd",
                        "--control-port",
                        "0",
                        "--pid-file",
                        directory.resolve("pid").toString(),
                        "--iscsi",
                        "portal=" + portal)
                .orThrow();
        while (ask("--mode", "sys", "--op", "show").exitCode() != 0) {
            Thread.onSpinWait();
        }
        change("--mode", "target", "--op", "new", "--tid", "1", "--targetname", NAME);
        change(
                "--mode",
                "logicalunit",
                "--op",
                "new",
                "--tid",
                "1",
                "--lun",
                "1",
                "--backing-store",
                directory.resolve("unit").toString());
        change(
                "--mode",
                "logicalunit",
                "--op",
                "update",
                "--tid",
                "1",
                "--lun",
                "1",
                "--params",
                "thin_provisioning=1,removable=0");
        change("--mode", "target", "--op", "bind", "--tid", "1", "--initiator-address", "ALL");
    }

    private String socket() {
        return "TGT_IPC_SOCKET=" + directory.resolve("socket");
    }

    private Commands.Result ask(String... arguments) {
        var all = new ArrayList<>(List.of("env", socket(), "tgtadm", "--control-port", "0", "--lld", "iscsi"));
        all.addAll(List.of(arguments));
        return Commands.query(PATIENCE, all);
    }

    private void change(String... arguments) {
        ask(arguments).orThrow();
    }

    /** Where its unit is. */
    public String url() {
        return "iscsi://%s/%s/1".formatted(portal, NAME);
    }

    @Override
    public void close() throws IOException {
        long process = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        ProcessHandle.of(process).ifPresent(handle -> {
            handle.destroyForcibly();
            handle.onExit().join();
        });
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
