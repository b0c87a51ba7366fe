package dev.stowage.cli.bench.arrays;

import dev.stowage.cli.bench.Workspace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Arrays of our own on this machine, each a process with an iSCSI target beside it. */
final class Farm {

    static final String TOKEN = "bench-token";
    private static final Duration START = Duration.ofSeconds(120);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Member> members = new ArrayList<>();

    record Member(String name, int port, Part process) {
        String hostname() {
            return "127.0.0.1:" + port;
        }
    }

    private Farm() {}

    /** @param data where the arrays keep their volumes */
    static Farm start(Workspace workspace, Path launcher, Path data, int count)
            throws IOException, InterruptedException {
        var farm = new Farm();
        Path token = Files.writeString(workspace.directory().resolve("token"), TOKEN);
        for (int number = 1; number <= count; number++) {
            String name = "array-%02d".formatted(number);
            int port = Ports.free();
            var process = Part.start(
                    workspace,
                    name,
                    List.of(
                            launcher.toString(),
                            "array",
                            "--listen",
                            "127.0.0.1:" + port,
                            "--data",
                            Files.createDirectories(data.resolve(name)).toString(),
                            "--token-file",
                            token.toString(),
                            "--portal",
                            "127.0.0.1:" + Ports.free(),
                            "--name",
                            name,
                            "--log-level",
                            "warn",
                            "--misbehave",
                            ""));
            farm.members.add(new Member(name, port, process));
        }
        for (var member : farm.members) {
            member.process().await(START, () -> farm.answers(member));
        }
        return farm;
    }

    private boolean answers(Member member) throws InterruptedException {
        try {
            return send(request(member, "/api/pools.json").GET()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    List<Member> members() {
        return members;
    }

    /** Which rules an array goes wrong by from now on. */
    void misbehave(Member member, String rules) throws IOException, InterruptedException {
        var answer = send(request(member, "/misbehave").PUT(BodyPublishers.ofString(rules)));
        if (answer.statusCode() != 200) {
            throw new IOException("%s does not take the rules '%s': %s".formatted(member.name(), rules, answer.body()));
        }
    }

    private static HttpRequest.Builder request(Member member, String path) {
        return HttpRequest.newBuilder(URI.create("http://" + member.hostname() + path))
                .header("X-Access-Key", TOKEN)
                .timeout(START);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** How long processors have worked for all of them since they began. */
    Duration processorTime() throws IOException {
        var sum = Duration.ZERO;
        for (var member : members) {
            sum = sum.plus(member.process().processorTime());
        }
        return sum;
    }

    /** Asks all of them to end at once, because one after the other would take a while. */
    void askToEnd() {
        members.forEach(member -> member.process().askToEnd());
        http.shutdownNow();
    }
}
