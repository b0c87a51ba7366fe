package dev.stowage.backend.vsc.node;

import dev.stowage.core.id.NodeId;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a node's driver is told at its start.
 *
 * @param address the node's address, where no storage network is named
 * @param storageNetwork the network that reaches the arrays, such as {@code 192.168.50.0/24}
 * @param stateDirectory where the node keeps what it staged, and its key
 * @param initiator {@code auto}, {@code open-iscsi} or {@code qemu}
 * @param initiatorDirectory where the initiator beside the driver is found, on machines whose kernel has none
 */
public record VscNodeSettings(
        NodeId node,
        String version,
        Optional<Path> kubeconfig,
        Optional<String> address,
        Optional<String> storageNetwork,
        Path stateDirectory,
        String initiator,
        Path initiatorDirectory) {}
