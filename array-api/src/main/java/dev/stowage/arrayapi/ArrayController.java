package dev.stowage.arrayapi;

import java.util.List;
import java.util.stream.Stream;

/** The controller of an array that serves now: where initiators connect, and with which secret. */
public record ArrayController(
        String target, List<String> portals, String chapUser, String chapSecret, String softwareVersion) {

    private static final int PORT = 3260;

    static ArrayController of(Answer answer) {
        int port = answer.number("iscsi_port", PORT);
        var told = answer.texts("portals");
        var portals = told.isEmpty()
                ? Stream.concat(
                                answer.some("iscsi_ip").stream(),
                                answer.some("iscsi_ipv6").map(six -> "[" + six + "]").stream())
                        .map(host -> host + ":" + port)
                        .toList()
                : told;
        return new ArrayController(
                answer.text("target"),
                portals,
                answer.text("vpsa_chap_user"),
                answer.text("vpsa_chap_secret"),
                answer.some("software-ver", "software_ver").orElse(""));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "%s at %s, version %s".formatted(target, portals, softwareVersion);
    }
}
