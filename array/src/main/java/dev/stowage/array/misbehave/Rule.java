package dev.stowage.array.misbehave;

import dev.stowage.core.error.StowageException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * One way to go wrong, and when.
 *
 * @param value what the kind needs: a duration in milliseconds, a status or a number of calls; zero where it needs nothing
 * @param left how often it is still to happen
 */
public record Rule(Kind kind, long value, String method, Pattern path, int percent, AtomicInteger left) {

    /** What goes wrong. */
    public enum Kind {
        /** The call waits before it is looked at. */
        DELAY,
        /** The call is refused with a status, and nothing is done. */
        FAIL,
        /** The answer is an HTTP error with a page for people, and nothing is done. */
        HTTP,
        /** The connection ends without an answer, and nothing is done. */
        DROP,
        /** The call is done, and the connection ends without an answer. */
        DROP_AFTER,
        /** The call is said to be done and is not. */
        LIE,
        /** The call is said to be under way, and is done after a while. */
        LATER,
        /** There is only so many calls a second. */
        THROTTLE,
        /** The pool says that it is full. */
        FULL
    }

    private static final Pattern SHAPE = Pattern.compile("([a-z-]+)(?: ([0-9]+)(ms|s)?)?"
            + "(?: on (GET|POST|PUT|DELETE|\\*) ([^ ]+))?(?: at ([0-9]{1,3})%)?(?: times ([0-9]{1,9}))?");
    private static final int ALWAYS = 100;
    private static final long MILLIS_IN_A_SECOND = Duration.ofSeconds(1).toMillis();

    /** Reads {@code KIND [VALUE] [on METHOD PATH] [at N%] [times N]}; an asterisk in the path stands for anything. */
    static Rule parse(String text) {
        var match = SHAPE.matcher(text);
        if (!match.matches()) {
            throw StowageException.invalid(
                    "misbehaviour '%s': expected KIND [VALUE] [on METHOD PATH] [at N%%] [times N], for example 'delay 2s on POST /api/volumes* at 50%%'",
                    text);
        }
        var kind = kind(text, match.group(1));
        long value = match.group(2) == null ? 0 : Long.parseLong(match.group(2));
        if ("s".equals(match.group(3))) {
            value *= MILLIS_IN_A_SECOND;
        }
        if (value == 0 && needsValue(kind)) {
            throw StowageException.invalid("misbehaviour '%s': it needs a number", text);
        }
        int percent = match.group(6) == null ? ALWAYS : Integer.parseInt(match.group(6));
        if (percent > ALWAYS) {
            throw StowageException.invalid("misbehaviour '%s': more than 100%% is not possible", text);
        }
        if (kind == Kind.FULL && !text.equals("full")) {
            throw StowageException.invalid("misbehaviour '%s': a pool is full for everybody; say 'full' alone", text);
        }
        return new Rule(
                kind,
                value,
                match.group(4) == null ? "*" : match.group(4),
                glob(match.group(5) == null ? "*" : match.group(5)),
                percent,
                new AtomicInteger(match.group(7) == null ? Integer.MAX_VALUE : Integer.parseInt(match.group(7))));
    }

    private static Kind kind(String text, String word) {
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(word)) {
                return kind;
            }
        }
        throw StowageException.invalid(
                "misbehaviour '%s': '%s' is not delay, fail, http, drop, drop-after, lie, later, throttle or full",
                text, word);
    }

    private static boolean needsValue(Kind kind) {
        return switch (kind) {
            case DELAY, FAIL, HTTP, LATER, THROTTLE -> true;
            case DROP, DROP_AFTER, LIE, FULL -> false;
        };
    }

    private static Pattern glob(String text) {
        return Pattern.compile(Pattern.quote(text).replace("*", "\\E.*\\Q"));
    }

    boolean isAbout(String calledMethod, String calledPath) {
        return (method.equals("*") || method.equals(calledMethod))
                && path.matcher(calledPath).matches();
    }
}
