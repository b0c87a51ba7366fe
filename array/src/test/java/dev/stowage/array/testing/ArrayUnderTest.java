package dev.stowage.array.testing;

import dev.stowage.array.ArraySettings;
import dev.stowage.array.ArraySettings.Backing;
import dev.stowage.array.StorageArray;
import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.iscsi.TargetKind;
import dev.stowage.array.misbehave.Misbehaviour;
import dev.stowage.array.rest.ApiClient;
import dev.stowage.array.rest.RestServer;
import dev.stowage.linux.mount.MountPoint;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An array in this process, with a tgtd of its own, on a filesystem of its own. */
public final class ArrayUnderTest implements AutoCloseable {

    public static final String TOKEN = "the-token";
    public static final String POOL = "pool-00000001";

    private final SharingDirectory directory;
    private final Optional<String> dataset;
    private final Portal files = freePortal();
    private volatile Duration ahead = Duration.ZERO;
    private List<Portal> portals;
    private final Misbehaviour misbehaviour = Misbehaviour.of("", new RecordedTime());
    private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());
    private @Nullable StorageArray array;
    private @Nullable RestServer rest;
    private @Nullable ApiClient client;

    public ArrayUnderTest() throws IOException {
        this("127.0.0.1");
    }

    /** @param hosts where it has a portal each */
    public ArrayUnderTest(String... hosts) throws IOException {
        this(Optional.empty(), hosts);
    }

    /** @param dataset of ZFS, for its volumes */
    public ArrayUnderTest(Optional<String> dataset) throws IOException {
        this(dataset, "127.0.0.1");
    }

    private ArrayUnderTest(Optional<String> dataset, String... hosts) throws IOException {
        this.dataset = dataset;
        directory = new SharingDirectory();
        portals = portals(hosts);
        start();
    }

    private static List<Portal> portals(String... hosts) throws IOException {
        var portals = new ArrayList<Portal>();
        for (String host : hosts) {
            portals.add(new Portal(host, freePort()));
        }
        return List.copyOf(portals);
    }

    /** It has other portals, from the next start on. */
    public void move(String... hosts) throws IOException {
        move(portals(hosts));
    }

    public void move(List<Portal> others) {
        portals = List.copyOf(others);
    }

    public static Portal freePortal() throws IOException {
        return new Portal("127.0.0.1", freePort());
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public ArraySettings settings() {
        return new ArraySettings(
                        "array",
                        directory.path(),
                        TOKEN,
                        portals,
                        files,
                        OptionalLong.empty(),
                        true,
                        "24.03",
                        Optional.of(misbehaviour))
                .on(new Backing(dataset, TargetKind.tgt));
    }

    /** Lets time pass, and the array do what it does now and then. */
    public void pass(Duration time) {
        ahead = ahead.plus(time);
        array().keepHouse();
    }

    public void start() {
        array = StorageArray.open(settings(), () -> Instant.now().plus(ahead));
        rest = RestServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), array);
        client = new ApiClient(rest.port(), TOKEN);
    }

    /** Ends it as a crash of its process would: nothing is put in order, and the target goes on. */
    public void crash() {
        stopServing();
        array().abandon();
        array = null;
    }

    public void stop() {
        stopServing();
        array().close();
        array = null;
    }

    private void stopServing() {
        Objects.requireNonNull(client).close();
        Objects.requireNonNull(rest).close();
    }

    public StorageArray array() {
        return Objects.requireNonNull(array);
    }

    public ApiClient api() {
        return Objects.requireNonNull(client);
    }

    public int apiPort() {
        return Objects.requireNonNull(rest).port();
    }

    /** Which rules it goes wrong by from now on. */
    public void misbehave(String rules) {
        misbehaviour.replace(rules);
        pauses.clear();
    }

    /** How long calls were made to wait since the rules were changed. */
    public List<Duration> pauses() {
        return List.copyOf(pauses);
    }

    private final class RecordedTime implements Misbehaviour.Timing {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            pauses.add(duration);
            Thread.sleep(duration);
        }
    }

    public List<Portal> portals() {
        return portals;
    }

    /** Says which process the target is. */
    public Path targetProcessFile() {
        return directory.path().resolve("tgt.pid");
    }

    public Path file(String volume) {
        return directory.path().resolve("volumes").resolve(volume);
    }

    /** The ids that have a file. */
    public Set<String> files() throws IOException {
        try (var list = Files.list(directory.path().resolve("volumes"))) {
            return list.map(path -> String.valueOf(path.getFileName())).collect(Collectors.toSet());
        }
    }

    public String volume(String name, String capacity) {
        return api().post("/volumes.json", Map.of("name", name, "capacity", capacity, "pool", POOL, "block", "YES"))
                .done()
                .text("vol_name");
    }

    /** A volume with a filesystem that is shared. */
    public String share(String name, String capacity) {
        return api().post("/volumes.json", Map.of("name", name, "capacity", capacity, "pool", POOL, "block", "NO"))
                .done()
                .text("vol_name");
    }

    public String serverAt(String name, String address) {
        return api().post("/servers.json", Map.of("display_name", name, "iscsi", address))
                .done()
                .text("server_name");
    }

    /** The share as a client on this machine reaches it. */
    public FileClient fileClient(String volume) {
        var path = String.valueOf(api().get("/volumes/" + volume + ".json")
                .done()
                .object("volume")
                .get("nfs_export_path"));
        return new FileClient(files, path.substring(path.indexOf(":/") + 1));
    }

    /** Where a share's filesystem is mounted while it is served. */
    public Path shareMount(String volume) {
        return directory.path().resolve("shares").resolve(volume);
    }

    public String server(String name, String iqn) {
        return api().post("/servers.json", Map.of("display_name", name, "iqn", iqn))
                .done()
                .text("server_name");
    }

    public void attach(String server, String volume) {
        api().post("/servers/" + server + "/volumes.json", Map.of("volume_name[]", volume))
                .done();
    }

    /** The volume as this initiator reaches it, with the secret that the API tells. */
    public Initiator initiator(String volume, String server, String iqn) {
        var controller =
                api().get("/vcontrollers.json").done().list("vcontrollers").getFirst();
        var attached = api().get("/volumes/" + volume + "/servers.json").done().list("servers").stream()
                .filter(each -> server.equals(each.get("name")))
                .findFirst()
                .orElseThrow();
        return new Initiator(
                portals.getFirst(),
                String.valueOf(attached.get("target")),
                ((Number) Objects.requireNonNull(attached.get("lun"))).intValue(),
                iqn,
                String.valueOf(controller.get("vpsa_chap_user")),
                String.valueOf(controller.get("vpsa_chap_secret")));
    }

    /** They are there only if a test failed, and would keep the filesystem busy. */
    private void endServers() throws IOException {
        end(targetProcessFile(), "tgtd");
        end(directory.path().resolve("nfs").resolve("ganesha.pid"), "ganesha.nfsd");
        for (MountPoint mount : Mounts.all()) {
            if (mount.target().startsWith(directory.path()) && !mount.target().equals(directory.path())) {
                Mounts.unmount(mount.target());
            }
        }
    }

    private static void end(Path processFile, String program) throws IOException {
        if (Files.exists(processFile)) {
            long process = Long.parseLong(Files.readString(processFile).strip());
            ProcessHandle.of(process)
                    .filter(handle -> handle.info().command().orElse("").endsWith(program))
                    .ifPresent(handle -> {
                        handle.destroyForcibly();
                        handle.onExit().join();
                    });
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (array != null) {
                stop();
            }
        } finally {
            endServers();
            directory.close();
        }
    }
}
