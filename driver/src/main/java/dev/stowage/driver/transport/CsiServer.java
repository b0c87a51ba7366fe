package dev.stowage.driver.transport;

import dev.stowage.core.error.StowageException;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptor;
import io.grpc.okhttp.OkHttpServerBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * gRPC services on a unix socket.
 *
 * <p>Services that answer at once, whatever the storage does, have threads of their own: a hundred hanging mounts do not keep a
 * Probe from its answer.
 */
public final class CsiServer {

    private static final int HANDLER_THREADS = 512;
    private static final int CALLS_PER_CONNECTION = 512;
    private static final int PROMPT_THREADS = 2;
    private static final Duration FORCED_END = Duration.ofSeconds(2);
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final UnixServerSocket socket;
    private final Server server;
    private final ExecutorService prompt;
    private final ExecutorService handlers;

    private CsiServer(UnixServerSocket socket, Server server, ExecutorService prompt, ExecutorService handlers) {
        this.socket = socket;
        this.server = server;
        this.prompt = prompt;
        this.handlers = handlers;
    }

    /**
     * Starts to serve.
     *
     * @param name the beginning of the names of its threads
     * @param promptServices those that never touch storage
     * @param services those that may block
     */
    public static CsiServer start(
            String name,
            Endpoint endpoint,
            List<BindableService> promptServices,
            List<BindableService> services,
            List<ServerInterceptor> interceptors) {
        var prompt = Workers.upTo(PROMPT_THREADS, name + "-prompt");
        var handlers = Workers.upTo(HANDLER_THREADS, name + "-call");
        UnixServerSocket socket;
        try {
            socket = UnixServerSocket.listen(endpoint.socket());
        } catch (IOException failed) {
            throw StowageException.notPossible("socket %s: cannot listen on it: %s", endpoint.socket(), failed);
        }
        var builder = OkHttpServerBuilder.forPort(socket.getLocalSocketAddress(), InsecureServerCredentials.create())
                .socketFactory(socket.asFactory())
                // gRPC finds the method on this executor before it asks for the call's own.
                .executor(prompt)
                .callExecutor(new ByService(names(promptServices), prompt, handlers))
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true);
        Stream.concat(promptServices.stream(), services.stream()).forEach(builder::addService);
        interceptors.forEach(builder::intercept);
        try {
            return new CsiServer(socket, builder.build().start(), prompt, handlers);
        } catch (IOException failed) {
            throw StowageException.internal(failed, "socket %s: cannot serve on it", endpoint.socket());
        }
    }

    private static Set<String> names(List<BindableService> services) {
        return services.stream()
                .map(service -> service.bindService().getServiceDescriptor().getName())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the socket's file is still the one made here; without it nobody can connect any more. */
    public boolean reachable() {
        return !server.isShutdown() && socket.filePresent();
    }

    /** Whether the threads that answer Probe do their work within the bound. */
    public boolean responsive(Duration bound) {
        var answered = new CountDownLatch(1);
        try {
            prompt.execute(answered::countDown);
            return answered.await(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Refuses new calls and lets those under way finish.
     *
     * @return whether all of them finished within {@code grace}; the others were cut off
     */
    public boolean stop(Duration grace) {
        server.shutdown();
        boolean finished = awaitEnd(grace);
        if (!finished) {
            server.shutdownNow();
            awaitEnd(FORCED_END);
        }
        handlers.shutdown();
        prompt.shutdown();
        if (finished) {
            awaitLastWords();
        }
        return finished;
    }

    /** A call is answered a moment before its handler is through with logging it. */
    private void awaitLastWords() {
        try {
            var _ = handlers.awaitTermination(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitEnd(Duration bound) {
        try {
            return server.awaitTermination(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private record ByService(Set<String> promptServices, Executor prompt, Executor handlers)
            implements ServerCallExecutorSupplier {

        @Override
        public <Q, R> Executor getExecutor(ServerCall<Q, R> call, Metadata headers) {
            return promptServices.contains(call.getMethodDescriptor().getServiceName()) ? prompt : handlers;
        }
    }
}
