package dev.stowage.arrayapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.arrayapi.ArrayException.Cause;
import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Requests to one array and what it says to them. */
final class Wire {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int INVALID_CREDENTIALS = 5;
    private static final int SESSION_EXPIRED = 1793;
    private static final int BACKGROUND = 0x40000000;
    private static final int LONGEST_QUOTE = 300;

    private final HttpClient http;
    private final ArrayAddress address;
    private final Supplier<String> token;
    private final Duration timeout;
    private final Gate gate;
    private final Tally tally = new Tally();

    Wire(HttpClient http, ArrayAddress address, Supplier<String> token, Duration timeout, Gate gate) {
        this.http = http;
        this.address = address;
        this.token = token;
        this.timeout = timeout;
        this.gate = gate;
    }

    Tally tally() {
        return tally;
    }

    Answer get(String path, Map<String, String> query) {
        return send("GET", path, query, null);
    }

    Answer post(String path, Map<String, ?> fields) {
        return send("POST", path, Map.of(), fields);
    }

    Answer delete(String path, Map<String, String> query) {
        return send("DELETE", path, query, null);
    }

    private Answer send(String method, String path, Map<String, String> query, @Nullable Map<String, ?> fields) {
        var parameters = query.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        var request = HttpRequest.newBuilder(URI.create(
                        address.base() + "/api" + path + ".json" + (parameters.isEmpty() ? "" : "?" + parameters)))
                .timeout(timeout)
                .header("X-Access-Key", token.get())
                .header("Accept", "application/json");
        if (fields == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json").method(method, BodyPublishers.ofString(json(fields)));
        }
        String what = "array %s: %s /api%s.json".formatted(address, method, path);
        return tally.count(
                Tally.call(method, path, query.keySet()),
                () -> gate.pass(() -> read(what, exchange(what, request.build()))));
    }

    private HttpResponse<String> exchange(String what, HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (HttpTimeoutException late) {
            throw new Unreachable(
                    Cause.NETWORK, "%s: no answer within %d s".formatted(what, timeout.toSeconds()), late);
        } catch (SSLException untrusted) {
            throw new Unreachable(Cause.CERTIFICATE, what + ": " + certificateProblem(untrusted), untrusted);
        } catch (ConnectException refused) {
            // The JDK does not say more.
            throw new Unreachable(
                    Cause.NETWORK, what + ": connection refused; does the array serve its API there?", refused);
        } catch (IOException failed) {
            throw new Unreachable(Cause.NETWORK, what + ": " + innermost(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unreachable(Cause.NETWORK, what + ": interrupted while it was under way", interrupted);
        }
    }

    private static String certificateProblem(SSLException failed) {
        for (Throwable each = failed; each != null; each = each.getCause()) {
            if (each instanceof CertificateException) {
                return "its certificate is not trusted: %s; add its authority to the trusted certificates"
                        .formatted(innermost(each));
            }
        }
        return "no TLS connection: %s; does the array serve HTTPS there?".formatted(innermost(failed));
    }

    private static String innermost(Throwable failed) {
        Throwable each = failed;
        while (each.getCause() != null) {
            each = each.getCause();
        }
        return each.getMessage() == null ? each.getClass().getSimpleName() : each.getMessage();
    }

    private Answer read(String what, HttpResponse<String> response) {
        if (response.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            throw refusedKey(what);
        }
        if (response.statusCode() != HttpURLConnection.HTTP_OK) {
            throw new Unreachable(
                    Cause.NOT_AN_ARRAY, "%s: HTTP status %d".formatted(what, response.statusCode()), null);
        }
        var envelope = parse(response.body()).map(node -> node.path("response")).filter(JsonNode::isObject);
        if (envelope.isEmpty() || !envelope.get().path("status").canConvertToInt()) {
            throw new Unreachable(
                    Cause.NOT_AN_ARRAY,
                    what + ": what answers does not speak as an array: " + quote(response.body()),
                    null);
        }
        return judged(what, envelope.get());
    }

    private static Answer judged(String what, JsonNode envelope) {
        int status = envelope.path("status").asInt();
        // From there on it is said to be under way; the object tells when it is done.
        if (status == 0 || status >= BACKGROUND) {
            return new Answer(envelope);
        }
        if (status == INVALID_CREDENTIALS || status == SESSION_EXPIRED) {
            throw refusedKey(what);
        }
        var answer = new Answer(envelope);
        String message = answer.some("status-msg", "status_msg", "message").orElse("no reason given");
        throw new Refused(status, "%s: refused with status %d: %s".formatted(what, status, quote(message)));
    }

    private static Unreachable refusedKey(String what) {
        return new Unreachable(
                Cause.CREDENTIALS,
                what + ": the array does not take the access key; write the right one into the token",
                null);
    }

    private static String quote(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= LONGEST_QUOTE ? line : line.substring(0, LONGEST_QUOTE) + "…";
    }

    private static Optional<JsonNode> parse(String body) {
        try {
            return Optional.ofNullable(JSON.readTree(body));
        } catch (JsonProcessingException malformed) {
            return Optional.empty();
        }
    }

    private static String json(Map<String, ?> fields) {
        try {
            return JSON.writeValueAsString(fields);
        } catch (JsonProcessingException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
