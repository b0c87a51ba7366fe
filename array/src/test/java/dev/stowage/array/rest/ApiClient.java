package dev.stowage.array.rest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A client of the API, as far as tests need one. */
public final class ApiClient implements AutoCloseable {

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final String token;

    public ApiClient(int port, String token) {
        this.base = "http://127.0.0.1:" + port + "/api";
        this.token = token;
    }

    /** What is in the envelope. */
    public record Response(Map<?, ?> fields) {

        public long status() {
            return ((Number) Objects.requireNonNull(fields.get("status"))).longValue();
        }

        public String message() {
            return String.valueOf(fields.get("status-msg"));
        }

        public String text(String name) {
            return String.valueOf(fields.get(name));
        }

        public Map<?, ?> object(String name) {
            return (Map<?, ?>) Objects.requireNonNull(fields.get(name));
        }

        public List<Map<?, ?>> list(String name) {
            return ((List<?>) Objects.requireNonNull(fields.get(name)))
                    .stream()
                            .<Map<?, ?>>map(each -> (Map<?, ?>) Objects.requireNonNull(each))
                            .toList();
        }

        /** This, if the call was done. */
        public Response done() {
            if (status() != 0) {
                throw new AssertionError("the array refused: " + fields);
            }
            return this;
        }
    }

    public Response get(String path) {
        return send(request(path).GET());
    }

    public Response delete(String path) {
        return send(request(path).DELETE());
    }

    public Response post(String path, Map<String, ?> body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(body))));
    }

    public Response postForm(String path, String form) {
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    public Response postText(String path, String text) {
        return send(request(path).POST(BodyPublishers.ofString(text)));
    }

    public Response put(String path, Map<String, ?> body) {
        return send(request(path).PUT(BodyPublishers.ofString(Json.write(body))));
    }

    /** A call beside the API, with its HTTP status. */
    public HttpResponse<String> raw(String method, String address, String body) {
        var request = HttpRequest.newBuilder(URI.create(base).resolve(address))
                .header("X-Access-Key", token)
                .method(method, BodyPublishers.ofString(body));
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofMinutes(3))
                .header("X-Access-Key", token);
    }

    private Response send(HttpRequest.Builder request) {
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError("HTTP status " + response.statusCode());
            }
            var envelope = (Map<?, ?>) Objects.requireNonNull(Json.read(response.body()));
            return new Response((Map<?, ?>) Objects.requireNonNull(envelope.get("response")));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
