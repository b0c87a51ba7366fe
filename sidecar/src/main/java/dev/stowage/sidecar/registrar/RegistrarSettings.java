package dev.stowage.sidecar.registrar;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.transport.Endpoint;
import dev.stowage.sidecar.flag.Flag;
import dev.stowage.sidecar.flag.FlagSet;
import dev.stowage.sidecar.flag.Flags;
import dev.stowage.sidecar.flag.LoggingFlags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a registrar is told.
 *
 * @param kubeletSocket the driver's socket as the kubelet sees it
 * @param hostProc the node's /proc, if it is to be looked at
 * @param kubeletDirectory as the node sees it
 * @param probeOnly the mode in which older manifests ask whether a registration succeeded, which needs no answer any more
 */
record RegistrarSettings(
        Endpoint driver,
        String kubeletSocket,
        Path registrationDirectory,
        Duration timeout,
        Optional<HttpAddress> http,
        Optional<Path> hostProc,
        Path kubeletDirectory,
        boolean probeOnly) {

    private static final String PROBE_MODE = "kubelet-registration-probe";

    static FlagSet flags() {
        var flags = new ArrayList<Flag>(List.of(
                Flag.of("csi-address", Flag.Kind.TEXT, "/run/csi/socket", "The driver's socket."),
                Flag.of(
                        "kubelet-registration-path",
                        Flag.Kind.TEXT,
                        "",
                        "The driver's socket as the kubelet sees it. Required."),
                Flag.of(
                        "plugin-registration-path",
                        Flag.Kind.TEXT,
                        "/registration",
                        "The directory that the kubelet watches for plugins."),
                Flag.of("timeout", Flag.Kind.DURATION, "1s", "How long the driver may take for an answer."),
                Flag.of("http-endpoint", Flag.Kind.TEXT, "", "Serve /healthz and /readyz at this HOST:PORT."),
                Flag.of("health-port", Flag.Kind.INTEGER, "0", "Serve them at this port of every address."),
                Flag.of(
                        "host-proc",
                        Flag.Kind.TEXT,
                        "",
                        "Where the node's /proc is mounted; serve /preflight, which tells what the node has for drivers."),
                Flag.of(
                        "kubelet-directory",
                        Flag.Kind.TEXT,
                        "/var/lib/kubelet",
                        "The kubelet's directory on the node, for /preflight."),
                Flag.of("mode", Flag.Kind.TEXT, "", PROBE_MODE + " ends at once with success."),
                Flag.of("version", Flag.Kind.SWITCH, "false", "Print the version."),
                Flag.withoutEffect("connection-timeout", Flag.Kind.DURATION, "the driver is waited for."),
                Flag.withoutEffect("enable-pprof", Flag.Kind.SWITCH, "a JVM is looked into by other means."),
                Flag.withoutEffect("automaxprocs", Flag.Kind.SWITCH, "the JVM knows its container's limits.")));
        flags.addAll(LoggingFlags.all());
        return FlagSet.of(flags);
    }

    static RegistrarSettings of(Flags flags) {
        if (flags.optional("kubelet-registration-path").isEmpty()) {
            throw StowageException.invalid(
                    "flag -kubelet-registration-path is missing: the kubelet has to know where the driver's socket is");
        }
        int port = flags.integer("health-port");
        if (port > 0 && flags.optional("http-endpoint").isPresent()) {
            throw StowageException.invalid("flags -health-port and -http-endpoint exclude each other");
        }
        return new RegistrarSettings(
                Endpoint.parse(flags.text("csi-address")),
                flags.text("kubelet-registration-path"),
                Path.of(flags.text("plugin-registration-path")),
                flags.duration("timeout"),
                port > 0
                        ? Optional.of(new HttpAddress("", port))
                        : flags.optional("http-endpoint").map(HttpAddress::parse),
                flags.optional("host-proc").map(Path::of),
                Path.of(flags.text("kubelet-directory")),
                flags.text("mode").equals(PROBE_MODE));
    }
}
