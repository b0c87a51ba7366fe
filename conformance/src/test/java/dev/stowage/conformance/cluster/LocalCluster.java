package dev.stowage.conformance.cluster;

import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** A control plane with a controller and nodes, each the real process. */
public final class LocalCluster implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(90);
    static final int SILENCE_LIMIT = 6;

    private final Workspace workspace;
    private final ControlPlane plane;
    private final Setup setup;
    private final Map<String, Member> members = new ConcurrentSkipListMap<>();

    private LocalCluster(Workspace workspace, Setup setup) {
        this.workspace = workspace;
        this.setup = setup;
        this.plane = ControlPlane.start(workspace.directory("plane"));
    }

    /** How big the pools are, and what else their nodes are told. */
    public record Setup(String poolImage, List<String> nodeArguments) {
        public LocalCluster start(String... nodes) {
            return LocalCluster.start(this, nodes);
        }
    }

    public static Setup of(String poolImage, String... nodeArguments) {
        return new Setup(poolImage, List.of(nodeArguments));
    }

    public static LocalCluster start(String... nodes) {
        return of("4Gi").start(nodes);
    }

    private static LocalCluster start(Setup setup, String... nodes) {
        var workspace = Workspace.create();
        LocalCluster cluster;
        try {
            cluster = new LocalCluster(workspace, setup);
        } catch (RuntimeException failed) {
            workspace.close();
            throw failed;
        }
        try {
            for (String node : nodes) {
                cluster.node(node);
            }
            cluster.controller("controller");
            for (String node : nodes) {
                cluster.awaitAnswering(node);
            }
            return cluster;
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    public Workspace workspace() {
        return workspace;
    }

    public ControlPlane plane() {
        return plane;
    }

    public Path pool(String node) {
        return workspace.root().resolve("pool-" + node);
    }

    public Path socket(String member) {
        return Member.socket(workspace, member);
    }

    public Member node(String name, String... more) {
        var arguments = new ArrayList<>(List.of(
                "--role",
                "node",
                "--node-id",
                name,
                "--pool",
                pool(name).toString(),
                "--pool-image",
                setup.poolImage()));
        arguments.addAll(setup.nodeArguments());
        arguments.addAll(List.of(more));
        return launch(name, arguments);
    }

    public Member controller(String name) {
        return launch(name, List.of("--role", "controller", "--http", "127.0.0.1:0"));
    }

    private Member launch(String name, List<String> arguments) {
        var all =
                new ArrayList<>(List.of("--pools", "cluster", "--node-silence-limit", Integer.toString(SILENCE_LIMIT)));
        all.addAll(arguments);
        var member = Member.launch(workspace, plane, name, all);
        members.put(name, member);
        return member;
    }

    public Member member(String name) {
        var member = members.get(name);
        if (member == null) {
            throw new IllegalArgumentException(name);
        }
        return member;
    }

    /** What the member serves at /metrics; its log says on which port. */
    public String metrics(String name) throws IOException, InterruptedException {
        var told = Pattern.compile("served on port (\\d+)")
                .matcher(Files.readString(member(name).log()));
        String port = "";
        while (told.find()) {
            port = told.group(1);
        }
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    public CsiClient central() {
        return member("controller").csi();
    }

    /** Waits until the controller counts on the node. */
    public void awaitAnswering(String node) {
        await("node " + node + " answers", () -> Volumes.capacity(central(), node) > 0);
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not come about: " + what);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }
    }

    @Override
    public void close() {
        for (Member member : members.values()) {
            if (member.process().isAlive()) {
                member.stop();
            }
        }
        plane.close();
        workspace.close();
    }
}
