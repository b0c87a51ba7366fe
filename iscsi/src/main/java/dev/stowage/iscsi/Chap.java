package dev.stowage.iscsi;

import dev.stowage.core.error.StowageException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How an initiator proves itself to a target.
 *
 * @param target how the target proves itself in turn, if it has to
 */
public record Chap(Account initiator, Optional<Account> target) {

    public static Chap oneWay(String user, String password) {
        return new Chap(new Account(user, password), Optional.empty());
    }

    /** A name and a secret, of which only the name is ever shown. */
    public record Account(String user, String password) {

        private static final Pattern PRINTABLE = Pattern.compile("[!-~]{1,255}");

        public Account {
            if (!PRINTABLE.matcher(user).matches()) {
                throw StowageException.invalid(
                        "the CHAP user has to be 1 to 255 letters, digits and signs, without spaces");
            }
            if (!PRINTABLE.matcher(password).matches()) {
                throw StowageException.invalid(
                        "the CHAP secret of user %s has to be 1 to 255 letters, digits and signs, without spaces",
                        user);
            }
        }

        @Override
        public String toString() {
            return user;
        }
    }
}
