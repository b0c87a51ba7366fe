package dev.stowage.manager.driver;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GRPCAction;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.TCPSocketAction;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the sidecars of a pod answer over HTTP.
 *
 * <p>In a network of its own a pod has the usual ports, unless its template has something there already: a driver may bring a liveness
 * probe of its own along. In the network of its node it meets the pods of all other drivers there, and
 * those of its own: the controller's may be on any node. So each use has a range, and each driver its place in it, always the same one,
 * because another port is another template and restarts every pod. The ranges end below 30000, where Kubernetes begins to hand out ports
 * of nodes to services, and the kernel to connections. Two drivers of one node can still have the same place; then the sidecar that
 * comes second ends and says which port is taken, and its pod does not become ready.
 */
record Ports(PodTemplateSpec template, String driver, Habits habits) {

    private static final int RANGE = 3000;
    /** Where the stock liveness probe answers that is not told where. */
    private static final int STOCK_LIVENESS = 9808;

    private static final Pattern LIVENESS = Pattern.compile("liveness-?probe");
    private static final Pattern SAYS_WHERE = Pattern.compile("-(health-port|http-endpoint)\\b");

    /** Of the liveness probe beside the driver on a node. */
    int nodeHealth() {
        int registrar = registrar();
        return first(habits.nodeHealth(), 20_000, port -> port != registrar);
    }

    /** Of the one beside the controller. */
    int controllerHealth() {
        return first(habits.controllerHealth(), 20_000 + RANGE, port -> true);
    }

    int registrar() {
        return first(habits.registrar(), 20_000 + 2 * RANGE, port -> true);
    }

    private int first(int usual, int start, IntPredicate among) {
        boolean ofTheNode = Boolean.TRUE.equals(template.getSpec().getHostNetwork());
        int place = Math.floorMod(driver.hashCode(), RANGE);
        return IntStream.range(0, RANGE)
                .map(next -> ofTheNode ? start + (place + next) % RANGE : usual + next)
                .filter(among)
                .filter(port -> containers().noneMatch(each -> uses(each, port)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the template uses all %d ports".formatted(RANGE)));
    }

    private Stream<Container> containers() {
        return Stream.concat(
                list(template.getSpec().getInitContainers()),
                list(template.getSpec().getContainers()));
    }

    /** Rather once too often: nobody misses a port that is passed over, and two cannot have the same one. */
    private boolean uses(Container container, int port) {
        return !isDriver(container)
                        && Stream.concat(declared(container), probed(container)).anyMatch(Integer.valueOf(port)::equals)
                || mentions(container, port)
                || port == STOCK_LIVENESS && isStockLiveness(container);
    }

    /**
     * Its template may already ask for its health where the liveness probe beside it is going to answer, as templates of drivers do that
     * used to bring that probe along. That one must be there, then.
     */
    private boolean isDriver(Container container) {
        return container.equals(template.getSpec().getContainers().getFirst());
    }

    private static Stream<Integer> declared(Container container) {
        return list(container.getPorts()).map(ContainerPort::getContainerPort);
    }

    private static Stream<Integer> probed(Container container) {
        return Stream.of(container.getLivenessProbe(), container.getReadinessProbe(), container.getStartupProbe())
                .filter(Objects::nonNull)
                .flatMap(Ports::ports);
    }

    private static Stream<Integer> ports(Probe probe) {
        var http = Stream.ofNullable(probe.getHttpGet()).map(HTTPGetAction::getPort);
        var tcp = Stream.ofNullable(probe.getTcpSocket()).map(TCPSocketAction::getPort);
        var grpc = Stream.ofNullable(probe.getGrpc()).map(GRPCAction::getPort);
        // One that is a name is among the container's.
        var numbers = Stream.concat(http, tcp).filter(Objects::nonNull).map(IntOrString::getIntVal);
        return Stream.concat(numbers, grpc).filter(Objects::nonNull);
    }

    /** By any flag or variable, whatever it is called: each driver has names of its own for them. */
    private static boolean mentions(Container container, int port) {
        var number = Pattern.compile("(?<![0-9.])" + port + "(?![0-9.])");
        return Stream.concat(words(container), list(container.getEnv()).map(EnvVar::getValue))
                .filter(Objects::nonNull)
                .anyMatch(text -> number.matcher(text).find());
    }

    private static Stream<String> words(Container container) {
        return Stream.concat(list(container.getCommand()), list(container.getArgs()));
    }

    private static boolean isStockLiveness(Container container) {
        return Stream.concat(Stream.of(container.getName(), container.getImage()), list(container.getCommand()))
                        .filter(Objects::nonNull)
                        .anyMatch(text -> LIVENESS.matcher(text).find())
                && words(container).noneMatch(text -> SAYS_WHERE.matcher(text).find());
    }

    private static <T> Stream<T> list(@Nullable List<T> list) {
        return list == null ? Stream.empty() : list.stream();
    }
}
