package dev.stowage.kube;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** Counts what a client asks of the API server: every attempt, by what came of it. */
public final class ApiRequests {

    /** The code of a request that got no answer, as Go's client library spells it. */
    public static final String NO_ANSWER = "<error>";

    private final Map<Kind, LongAdder> counts = new ConcurrentSkipListMap<>();

    /**
     * Requests that are counted together.
     *
     * @param method of HTTP; a watch is a GET
     * @param code of HTTP, or {@link #NO_ANSWER}
     */
    public record Kind(String method, String code) implements Comparable<Kind> {
        private static final Comparator<Kind> ORDER =
                Comparator.comparing(Kind::method).thenComparing(Kind::code);

        @Override
        public int compareTo(Kind other) {
            return ORDER.compare(this, other);
        }
    }

    Interceptor interceptor() {
        return new Counting();
    }

    private final class Counting implements Interceptor {
        @Override
        public void after(
                @Nullable HttpRequest request,
                HttpResponse<?> response,
                AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            count(request, String.valueOf(response.code()));
        }

        @Override
        public void afterConnectionFailure(@Nullable HttpRequest request, Throwable failure) {
            count(request, NO_ANSWER);
        }

        /** One that became a web socket, for a watch, is not told with its request by every kind of client. */
        private void count(@Nullable HttpRequest request, String code) {
            String method = request == null ? "GET" : request.method();
            counts.computeIfAbsent(new Kind(method, code), kind -> new LongAdder())
                    .increment();
        }
    }

    /** Tells every kind with its number, in order. */
    public void forEach(ObjLongConsumer<Kind> listener) {
        counts.forEach((kind, count) -> listener.accept(kind, count.sum()));
    }
}
