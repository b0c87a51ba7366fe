package dev.stowage.backend.local;

import dev.stowage.backend.local.node.LoopBackedDevices;
import dev.stowage.backend.local.node.PodVolumes;
import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolOwner;
import dev.stowage.backend.local.pool.PoolPreparation;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.snapshot.Freezer;
import dev.stowage.backend.local.volume.VolumeCheck;
import dev.stowage.core.backend.Ability;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.record.RecordLogException;
import dev.stowage.node.NodeEngine;
import dev.stowage.node.NodeRecords;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Volumes from a directory or a disk of this machine. */
public final class LocalBackend implements Backend {

    private final Optional<ControllerSide> controller;
    private final Optional<NodeVolumes> node;
    private final Optional<PoolView> view;
    private final Deque<Runnable> closing;

    private LocalBackend(
            Optional<ControllerSide> controller,
            Optional<NodeVolumes> node,
            Optional<PoolView> view,
            Deque<Runnable> closing) {
        this.controller = controller;
        this.node = node;
        this.view = view;
        this.closing = closing;
    }

    /** Opens the pool, settles what a crash left, and is ready. */
    public static LocalBackend open(LocalSettings settings, boolean controllerRole, boolean nodeRole) {
        var closing = new ArrayDeque<Runnable>();
        try {
            Pool pool = PoolPreparation.open(settings);
            closing.push(pool::close);
            PoolOwner.require(pool, settings.driverName());
            var space = new PoolSpace(pool, settings.overcommit(), settings.reserve());
            // Before anything else, because frozen filesystems stop their pods, and this thaws them.
            Optional<PoolRecords> records =
                    controllerRole ? Optional.of(openRecords(pool, closing, settings)) : Optional.empty();
            Optional<NodeEngine> node =
                    nodeRole ? Optional.of(openNode(settings, pool, space, closing)) : Optional.empty();
            Optional<ControllerSide> controller =
                    records.map(opened -> LocalController.open(settings, pool, opened, space, new SameProcess(node)));
            return new LocalBackend(
                    controller,
                    node.map(engine -> engine),
                    records.map(opened -> new RecordedPool(opened, space)),
                    closing);
        } catch (RuntimeException failure) {
            closing.forEach(Runnable::run);
            throw failure instanceof UncheckedIOException || failure instanceof RecordLogException
                    ? StowageException.unavailable(failure, "pool %s: %s", settings.pool(), failure.getMessage())
                    : failure;
        }
    }

    /** The node's side, if this process has it. */
    private record SameProcess(Optional<NodeEngine> node) implements LocalController.NodeSide {

        @Override
        public void deleted(VolumeId volume) {
            node.ifPresent(engine -> engine.forget(volume));
        }

        @Override
        public List<HealthIssue> issues(VolumeId volume) {
            return node.map(engine -> issues(engine, volume)).orElse(List.of());
        }

        private static List<HealthIssue> issues(NodeEngine engine, VolumeId volume) {
            try {
                return engine.health(new NodeVolumes.Place(volume, Optional.empty(), Optional.empty()))
                        .issues();
            } catch (StowageException.NotFound notInUse) {
                return List.of();
            }
        }
    }

    private static PoolRecords openRecords(Pool pool, Deque<Runnable> closing, LocalSettings settings) {
        var records = PoolRecords.open(pool);
        closing.push(records::close);
        PoolOwner.record(pool, settings.driverName());
        new Freezer(pool, records, settings.longestFreeze()).thawAll();
        return records;
    }

    private static NodeEngine openNode(LocalSettings settings, Pool pool, PoolSpace space, Deque<Runnable> closing) {
        var records = NodeRecords.open(pool.nodeRecords(), "the node role of this pool");
        closing.push(records::close);
        var podVolumes = new PodVolumes(pool, space);
        var devices = new LoopBackedDevices(pool, podVolumes, new VolumeCheck(pool, space));
        var engine = new NodeEngine(
                new NodeVolumes.NodeInfo(settings.node(), settings.mostVolumes(), Optional.of(settings.topology())),
                devices,
                Optional.of(podVolumes),
                records);
        engine.recover();
        engine.remembered().stream()
                .filter(volume -> !pool.volumes().exists(volume.value()) && !podVolumes.owns(volume))
                .forEach(engine::forget);
        devices.detachUnclaimed(engine.remembered());
        return engine;
    }

    @Override
    public Optional<ControllerSide> controller() {
        return controller;
    }

    @Override
    public Optional<NodeVolumes> node() {
        return node;
    }

    /** The pool's records, where the controller's side is. */
    public Optional<PoolView> view() {
        return view;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    @Override
    public void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}
