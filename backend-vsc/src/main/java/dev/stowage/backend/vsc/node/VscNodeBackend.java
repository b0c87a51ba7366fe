package dev.stowage.backend.vsc.node;

import dev.stowage.backend.vsc.VscAbilities;
import dev.stowage.backend.vsc.secret.NodeKey;
import dev.stowage.core.backend.Ability;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Initiator;
import dev.stowage.iscsi.Initiators;
import dev.stowage.kube.KubernetesClients;
import dev.stowage.node.NodeEngine;
import dev.stowage.node.NodeRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

/** A node that uses volumes on arrays. Once it is known as a VSCNode, it needs no API server to serve the kubelet. */
public final class VscNodeBackend implements Backend {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int RETRIES = 3;

    private final NodeEngine engine;
    private final Registration registration;
    private final Deque<Runnable> closing;

    private VscNodeBackend(NodeEngine engine, Registration registration, Deque<Runnable> closing) {
        this.engine = engine;
        this.registration = registration;
        this.closing = closing;
    }

    public static VscNodeBackend open(VscNodeSettings settings) {
        var closing = new ArrayDeque<Runnable>();
        try {
            var state = directory(settings.stateDirectory());
            var key = NodeKey.of(state, settings.node().value());
            var units = UnitRecords.open(state.resolve("units"), "the node role of this machine");
            closing.push(units::close);
            var records = NodeRecords.open(state.resolve("node"), "the node role of this machine");
            closing.push(records::close);
            var initiator = initiator(settings, state);
            var devices = new IscsiDevices(initiator, units, key);
            var engine = new NodeEngine(
                    new NodeVolumes.NodeInfo(settings.node(), 0, Optional.empty()), devices, Optional.empty(), records);
            engine.recover();
            devices.detachUnclaimed(engine.remembered());
            var client = KubernetesClients.connect(
                    settings.kubeconfig(), "stowage-node/" + settings.version(), REQUEST_TIMEOUT, RETRIES);
            closing.push(client::close);
            var registration =
                    new Registration(client, settings, initiator.name().toString(), key.publicKey());
            closing.push(registration::close);
            return new VscNodeBackend(engine, registration, closing);
        } catch (RuntimeException failure) {
            closing.forEach(Runnable::run);
            throw failure;
        }
    }

    private static Initiator initiator(VscNodeSettings settings, Path state) {
        return switch (settings.initiator()) {
            case "auto" -> Initiators.choose(state, settings.initiatorDirectory());
            case "open-iscsi" -> Initiators.kernel();
            case "qemu" -> Initiators.served(state, settings.initiatorDirectory());
            default ->
                throw StowageException.invalid(
                        "--initiator %s: it can be auto, open-iscsi or qemu", settings.initiator());
        };
    }

    private static Path directory(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException failed) {
            throw StowageException.notPossible("the state directory %s cannot be made: %s", path, failed);
        }
    }

    @Override
    public Optional<ControllerSide> controller() {
        return Optional.empty();
    }

    @Override
    public Optional<NodeVolumes> node() {
        return Optional.of(engine);
    }

    @Override
    public Set<Ability> abilities() {
        return VscAbilities.ALL;
    }

    @Override
    public Optional<String> notReady() {
        return registration.trouble();
    }

    @Override
    public void close() {
        closing.forEach(Runnable::run);
    }
}
