package dev.stowage.array.iscsi;

import java.util.Optional;

/**
 * Who may use a target.
 *
 * @param number tells it from every other server there ever was
 * @param target the target's name
 * @param initiator the only initiator that is let in
 * @param account what the initiator proves itself with
 * @param own what the target proves itself with, where the initiator asks for that
 */
public record Server(int number, String target, String initiator, Account account, Optional<Account> own) {

    /** A user and a secret, for CHAP. */
    public record Account(String user, String secret) {
        @Override
        public String toString() {
            return "account of " + user;
        }
    }
}
