package dev.stowage.iscsi.testing;

import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.linux.command.Commands;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A real iSCSI target in a process of its own, with a portal and a control socket of its own. */
public final class Tgt implements AutoCloseable {

    public static final Iqn TARGET = new Iqn("iqn.2026-01.dev.stowage.test:array");
    public static final Iqn NODE = new Iqn("iqn.2026-01.dev.stowage.test:node-1");
    public static final Iqn OTHER_NODE = new Iqn("iqn.2026-01.dev.stowage.test:node-2");
    public static final Chap.Account ACCOUNT = new Chap.Account("node-user", "s3cret-of-the-node");
    public static final Chap.Account TARGET_ACCOUNT = new Chap.Account("array-user", "s3cret-of-the-array");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int NOT_CONNECTED = 107;
    private static final Pattern CONNECTION = Pattern.compile("Session: ([0-9]+)\\s+Connection: ([0-9]+)");

    private final Path directory;
    private final Portal portal;

    public Tgt() throws IOException {
        directory = Files.createTempDirectory("stowage-tgt-");
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            portal = new Portal("127.0.0.1", socket.getLocalPort());
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
        awaitListening();
        admin("target", "new", "--targetname", TARGET.value());
        account(ACCOUNT, false);
        account(TARGET_ACCOUNT, true);
        admit(NODE);
        admit(OTHER_NODE);
    }

    /** It goes to the background before it listens. */
    private void awaitListening() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (query("conn", "show").exitCode() == NOT_CONNECTED && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    public Portal portal() {
        return portal;
    }

    public Path file(String serial) {
        return directory.resolve(serial);
    }

    /** Offers a file as a unit. */
    public void offer(int lun, String serial, long bytes) throws IOException {
        try (var file = new RandomAccessFile(file(serial).toFile(), "rw")) {
            file.setLength(bytes);
        }
        admin(
                "logicalunit",
                "new",
                "--lun",
                "" + lun,
                "--backing-store",
                file(serial).toString());
        admin("logicalunit", "update", "--lun", "" + lun, "--params", "scsi_sn=" + serial);
    }

    /** Shuts all initiators out, ends their connections and takes the unit away. */
    public void fence(int lun) throws InterruptedException {
        forbid(NODE);
        forbid(OTHER_NODE);
        disconnect();
        while (query("logicalunit", "delete", "--lun", "" + lun).exitCode() != 0) {
            Thread.sleep(50);
        }
    }

    /** Replaces a unit by a larger one, as an array does with tgt: who is connected has to connect again. */
    public void grow(int lun, String serial, long bytes) throws IOException, InterruptedException {
        fence(lun);
        offer(lun, serial, bytes);
        admit(NODE);
        admit(OTHER_NODE);
    }

    public void admit(Iqn initiator) {
        admin("target", "bind", "--initiator-name", initiator.value());
    }

    public void forbid(Iqn initiator) {
        admin("target", "unbind", "--initiator-name", initiator.value());
    }

    private void disconnect() throws InterruptedException {
        for (var open = connections(); !open.isEmpty(); open = connections()) {
            for (var connection : open) {
                query("conn", "delete", "--sid", connection.get(0), "--cid", connection.get(1));
            }
            Thread.sleep(20);
        }
    }

    /** Who is connected now. */
    public List<List<String>> connections() {
        var open = new ArrayList<List<String>>();
        var shown = CONNECTION.matcher(query("conn", "show").stdout());
        while (shown.find()) {
            open.add(List.of(shown.group(1), shown.group(2)));
        }
        return open;
    }

    private void account(Chap.Account account, boolean own) {
        admin("account", "new", "--user", account.user(), "--password", account.password());
        var arguments = new ArrayList<>(List.of("--user", account.user()));
        if (own) {
            arguments.add("--outgoing");
        }
        admin("account", "bind", arguments.toArray(String[]::new));
    }

    private void admin(String mode, String operation, String... more) {
        query(mode, operation, more).orThrow();
    }

    private Commands.Result query(String mode, String operation, String... more) {
        var arguments = new ArrayList<>(List.of("env", socket(), "tgtadm", "--control-port", "0", "--lld", "iscsi"));
        arguments.addAll(List.of("--mode", mode, "--op", operation));
        if (!mode.equals("account") || !operation.equals("new")) {
            arguments.addAll(List.of("--tid", "1"));
        }
        arguments.addAll(List.of(more));
        return Commands.query(PATIENCE, arguments);
    }

    private String socket() {
        return "TGT_IPC_SOCKET=" + directory.resolve("control");
    }

    /** A unit as the node is told of it. */
    public IscsiUnit unit(int lun, Optional<String> serial, Optional<Chap> chap) {
        return new IscsiUnit(new UnitAddress(TARGET, lun), List.of(portal), serial, chap);
    }

    public IscsiUnit unit(int lun) {
        return unit(lun, Optional.empty(), Optional.of(new Chap(ACCOUNT, Optional.empty())));
    }

    /** Reads or writes a unit with an initiator that is not ours, such as {@code read -P 7 0 4k}. */
    public Commands.Result elsewhere(int lun, String command) {
        return Commands.query(
                PATIENCE,
                "qemu-io",
                "--image-opts",
                "-c",
                command,
                "driver=iscsi,transport=tcp,portal=%s,target=%s,lun=%d,user=%s,password=%s,initiator-name=%s"
                        .formatted(portal, TARGET, lun, ACCOUNT.user(), ACCOUNT.password(), OTHER_NODE));
    }

    @Override
    public void close() throws IOException {
        long process = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        ProcessHandle.of(process).ifPresent(handle -> {
            handle.destroyForcibly();
            handle.onExit().join();
        });
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
