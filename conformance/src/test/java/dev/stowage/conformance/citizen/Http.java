package dev.stowage.conformance.citizen;

import dev.stowage.conformance.harness.RunningDriver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;

/** A driver's health, metrics and log level, as a kubelet or a person asks for them. */
public record Http(int port) {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Pattern PORT = Pattern.compile("health and metrics are served on port ([0-9]+)");

    /** Where the driver that was started last says it serves. */
    public static Http of(RunningDriver driver) {
        var ports = PORT.matcher(driver.log())
                .results()
                .map(match -> match.group(1))
                .toList();
        return new Http(Integer.parseInt(ports.getLast()));
    }

    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).GET());
    }

    public HttpResponse<String> put(String path) {
        return send(HttpRequest.newBuilder(uri(path)).PUT(HttpRequest.BodyPublishers.noBody()));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
