package dev.stowage.arrayapi;

import java.util.Optional;

/**
 * A volume as a server sees it.
 *
 * @param serial the unit's serial number, where the array tells it
 * @param proof what the array proves itself with to this server, where it can
 */
public record ArrayUnit(
        String server,
        String target,
        int lun,
        boolean readOnly,
        boolean complete,
        Optional<String> serial,
        Optional<Proof> proof) {

    /** A CHAP user and its secret. */
    public record Proof(String user, String secret) {

        private static Optional<Proof> of(Answer answer) {
            return answer.some("host_chap_user")
                    .flatMap(user -> answer.some("host_chap_secret").map(secret -> new Proof(user, secret)));
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return user;
        }
    }

    static ArrayUnit of(Answer answer) {
        return new ArrayUnit(
                answer.text("name"),
                answer.text("target"),
                answer.number("lun", -1),
                answer.yes("read_only"),
                answer.some("status").map(ArrayUnit::attached).orElse(true),
                answer.some("serial"),
                Proof.of(answer));
    }

    /** What is being made or taken away cannot be used; an array that tells something else about the server does not mean that. */
    private static boolean attached(String status) {
        return !status.equalsIgnoreCase("Attaching") && !status.equalsIgnoreCase("Detaching");
    }
}
