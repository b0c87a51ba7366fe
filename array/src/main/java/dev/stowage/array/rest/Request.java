package dev.stowage.array.rest;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request as it came.
 *
 * @param key the access key of its header, if it has one
 * @param body null if it was too large to be read
 */
record Request(
        String method,
        String path,
        @Nullable String query,
        @Nullable String key,
        @Nullable String body) {

    static final int LARGEST_BODY = 1 << 20;

    static Request of(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        return new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                exchange.getRequestURI().getRawQuery(),
                exchange.getRequestHeaders().getFirst("X-Access-Key"),
                body.length > LARGEST_BODY ? null : new String(body, StandardCharsets.UTF_8).strip());
    }

    /** Without the query and the body, which may hold secrets. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
