package dev.stowage.cli.bench.arrays;

import dev.stowage.backend.vsc.central.volume.Abandoned;
import dev.stowage.backend.vsc.secret.NodeKey;
import dev.stowage.cli.bench.Progress;
import dev.stowage.cli.bench.Workspace;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The whole run, from an empty API server to the last figure. */
final class ArraysBench {

    private static final String CLASS = "bench";
    /** Asked once in each look at an array, and in nothing else. */
    private static final String LOOK = "GET /vcontrollers";

    private static final int LOOKS = 3;
    private static final int VOLUMES_PER_ATTACHER = 8;
    private static final Duration REST = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    /** Far more than there is: the volumes are sparse and nothing is written to them. */
    private static final String ROOM = "16T";

    private final ArraysPlan plan;
    private final Workspace workspace;
    private final Path home;
    private final Progress progress;
    private final ArraysResults results;

    ArraysBench(ArraysPlan plan, Workspace workspace, Path home, Progress progress, ArraysResults results) {
        this.plan = plan;
        this.workspace = workspace;
        this.home = home;
        this.progress = progress;
        this.results = results;
    }

    void run() throws IOException, InterruptedException {
        describeTheMachine();
        Path launcher = home.resolve("stowage");
        Path memory = workspace.inMemory("memory", ROOM);
        progress.step("starting etcd and the API server");
        var plane = ControlPlane.start(workspace, memory.resolve("etcd"), home.resolve("charts/stowage/files/crds"));
        try (var client = plane.client()) {
            progress.step("starting " + plan.arrays() + " arrays");
            var farm = Farm.start(workspace, launcher, memory, plan.arrays());
            progress.step("starting the controller");
            var controller = Controller.start(workspace, launcher, plane.kubeconfig(), plan);
            try {
                join(client, farm);
                nodes(client);
                measure(plane, farm, controller);
            } finally {
                controller.disconnect();
                farm.askToEnd();
            }
        }
        progress.done();
    }

    private void describeTheMachine() throws IOException {
        results.machine("date", LocalDate.now(ZoneId.systemDefault()).toString());
        results.machine("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        results.machine(
                "kernel",
                Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
        results.machine(
                "load before", Files.readString(Path.of("/proc/loadavg")).strip());
    }

    private void join(KubernetesClient client, Farm farm) {
        progress.step(plan.arrays() + " arrays join");
        var storageClass = new VscStorageClass();
        storageClass.setMetadata(new ObjectMetaBuilder().withName(CLASS).build());
        storageClass.setSpec(new VscStorageClass.Spec(CLASS, null, true, null));
        client.resource(storageClass).create();
        for (var member : farm.members()) {
            var vpsa = new Vpsa();
            vpsa.setMetadata(new ObjectMetaBuilder().withName(member.name()).build());
            vpsa.setSpec(new Vpsa.Spec(CLASS, member.name(), null, member.hostname(), Farm.TOKEN));
            client.resource(vpsa).create();
        }
        farm.members().forEach(member -> awaitReady(client, member.name()));
    }

    private static void awaitReady(KubernetesClient client, String array) {
        client.resources(Vpsa.class)
                .withName(array)
                .waitUntilCondition(
                        found -> found != null && found.getStatus().state() == Vpsa.State.READY,
                        PATIENCE.toSeconds(),
                        TimeUnit.SECONDS);
    }

    /** All have the same key: nobody opens what is sealed to them. */
    private void nodes(KubernetesClient client) throws InterruptedException {
        progress.step(plan.nodes() + " nodes become known");
        String key = NodeKey.of(workspace.directory().resolve("node"), "bench")
                .publicKey()
                .text();
        var next = new AtomicInteger();
        var load = Load.until(plan.attachers(), () -> next.get() < plan.nodes(), (caller, each) -> {
            int number = next.getAndIncrement();
            if (number < plan.nodes()) {
                var node = new VscNode();
                node.setMetadata(new ObjectMetaBuilder()
                        .withName(node(number))
                        .withAnnotations(Map.of(VscResources.NODE_KEY, key))
                        .build());
                node.setSpec(new VscNode.Spec(
                        node(number),
                        null,
                        new VscNode.Nas("127.0.0.1"),
                        new VscNode.Block("iqn.2026-01.dev.stowage.bench:" + node(number))));
                client.resource(node).create();
            }
        });
        results.count(load);
    }

    private static String node(int number) {
        return "node-%04d".formatted(number);
    }

    private static String volume(int number) {
        return "pvc-%06d".formatted(number);
    }

    private void measure(ControlPlane plane, Farm farm, Controller controller)
            throws IOException, InterruptedException {
        var client = plane.client();
        progress.step("making the first " + plan.few() + " volumes");
        results.count(fill(controller, 0, plan.few()));
        weigh(controller, plan.few());
        look(controller, farm, plan.few());

        progress.step("making " + (plan.volumes() - plan.few()) + " more volumes");
        var before = controller.calls();
        var work = work(plane, farm, controller);
        var filling = fill(controller, plan.few(), plan.volumes());
        results.filled(filling, controller.calls().since(before));
        work(plane, farm, controller).forEach((who, time) -> results.worked(who, time.minus(work.get(who))));
        weigh(controller, plan.volumes());
        look(controller, farm, plan.volumes());

        var sick = farm.members().getFirst();
        var attachable = attachable(client, sick.name());
        for (int pair = 0; pair < plan.pairs(); pair++) {
            turn(client, controller, attachable, false);
            progress.step(sick.name() + " falls sick");
            farm.misbehave(sick, "delay %ds".formatted(2 * plan.timeout().toSeconds()));
            turn(client, controller, attachable, true);
            farm.misbehave(sick, "");
            progress.step(sick.name() + " recovers");
            awaitRecovery(client, controller, sick.name());
        }
    }

    /** How long processors have worked for whom. */
    private static Map<String, Duration> work(ControlPlane plane, Farm farm, Controller controller) throws IOException {
        return Map.of(
                "the controller", controller.processorTime(),
                "the arrays together", farm.processorTime(),
                "the API server", plane.apiServer().processorTime(),
                "etcd", plane.etcd().processorTime(),
                "this client", Part.processorTime(ProcessHandle.current().pid()));
    }

    private Load fill(Controller controller, int from, int to) throws IOException, InterruptedException {
        var volumes = new Volumes(controller.csi());
        var next = new AtomicInteger(from);
        var load = Load.until(plan.callers(), () -> next.get() < to, (caller, each) -> {
            int number = next.getAndIncrement();
            if (number < to) {
                volumes.create(volume(number), each);
                progress.moved("making volumes: " + number);
            }
        });
        controller.requireAlive();
        return load;
    }

    private void weigh(Controller controller, int volumes) throws IOException, InterruptedException {
        Thread.sleep(REST);
        var memory = controller.memory();
        results.add(new ArraysResults.Weight(volumes, memory, controller.liveHeap()));
    }

    /** Some looks at all arrays, with nothing else to do. */
    private void look(Controller controller, Farm farm, int volumes) throws IOException, InterruptedException {
        progress.step("watching looks at the arrays with " + volumes + " volumes");
        var calls = controller.calls();
        var ofController = controller.processorTime();
        var ofArrays = farm.processorTime();
        Thread.sleep(plan.interval().multipliedBy(LOOKS));
        var more = controller.calls().since(calls);
        results.add(new ArraysResults.Looks(
                volumes,
                Math.max(1, more.of(LOOK)),
                more,
                controller.processorTime().minus(ofController),
                farm.processorTime().minus(ofArrays)));
    }

    /** For each caller some volumes of its own, none of them on the array that will fall sick. */
    private List<List<String>> attachable(KubernetesClient client, String sick) {
        var all = new ArrayList<List<String>>();
        int number = 0;
        for (int caller = 0; caller < plan.attachers(); caller++) {
            var some = new ArrayList<String>();
            while (some.size() < VOLUMES_PER_ATTACHER && number < plan.volumes()) {
                String name = volume(number++);
                var found = client.resources(VscVolume.class).withName(name).get();
                if (found != null && !found.getStatus().vpsaId().equals(sick)) {
                    some.add(name);
                }
            }
            if (!some.isEmpty()) {
                all.add(some);
            }
        }
        return all;
    }

    private void turn(KubernetesClient client, Controller controller, List<List<String>> attachable, boolean sick)
            throws IOException, InterruptedException {
        String how = sick ? "one array is sick" : "all arrays are well";
        var volumes = new Volumes(controller.csi());
        progress.step("making and deleting volumes, " + how);
        var start = controller.calls();
        var number = new AtomicInteger(0);
        String prefix = "pvc-turn-" + results.turns(true).size() + "-"
                + results.turns(false).size() + "-";
        var making = Load.during(plan.callers(), plan.turn(), (caller, load) -> {
            String name = prefix + number.getAndIncrement();
            var took = volumes.create(name, load);
            if (took.compareTo(plan.timeout()) > 0 && hadToGoElsewhere(client, name)) {
                load.rename(Volumes.CREATE, took, Volumes.CREATE_ELSEWHERE);
                // It can be deleted when the sick array has said that it has nothing of it.
            } else {
                volumes.delete(name, load);
            }
        });
        var between = controller.calls();
        progress.step("attaching and detaching volumes, " + how);
        var attaching = Load.during(attachable.size(), plan.turn(), (caller, load) -> {
            var mine = attachable.get(caller);
            String name = mine.get(ThreadLocalRandom.current().nextInt(mine.size()));
            String node = node(ThreadLocalRandom.current().nextInt(plan.nodes()));
            volumes.attach(name, node, load);
            volumes.detach(name, node, load);
        });
        controller.requireAlive();
        results.add(new ArraysResults.Turn(
                sick,
                making,
                attaching,
                between.since(start),
                controller.calls().since(between)));
    }

    /** Whether an array was asked for the volume first that did not answer. */
    private static boolean hadToGoElsewhere(KubernetesClient client, String volume) {
        var found = client.resources(VscVolume.class).withName(volume).get();
        return found != null && Abandoned.any(found);
    }

    private static void awaitRecovery(KubernetesClient client, Controller controller, String array)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!controller.asks(array)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("the controller has left " + array + " alone although it is well again");
            }
            Thread.sleep(200);
        }
        awaitReady(client, array);
    }
}
