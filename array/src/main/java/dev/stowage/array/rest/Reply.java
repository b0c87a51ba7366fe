package dev.stowage.array.rest;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What is written back. */
record Reply(int httpStatus, String type, String body) {

    /** The envelope that every answer of the API is in. */
    static Reply enveloped(Map<String, Object> response) {
        return new Reply(200, "application/json; charset=utf-8", Json.write(Map.of("response", response)));
    }

    static Reply text(int httpStatus, String text) {
        return new Reply(httpStatus, "text/plain; charset=utf-8", text + "\n");
    }

    /** What a proxy in front of an array says when things are bad. */
    static Reply page(int httpStatus) {
        return new Reply(httpStatus, "text/html", "<html><body><h1>" + httpStatus + "</h1></body></html>\n");
    }

    void send(HttpExchange exchange) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(httpStatus, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
