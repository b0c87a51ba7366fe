package dev.stowage.array.rest;

import com.sun.net.httpserver.HttpExchange;
import dev.stowage.array.StorageArray;
import dev.stowage.array.misbehave.Misbehaviour;
import dev.stowage.array.misbehave.Rule;
import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads requests and writes answers, and goes wrong where that is asked for. */
final class Exchanges {

    private static final long UNDER_WAY = 0x40000001L;
    private static final String RULES = "/misbehave";

    private final StorageArray array;
    private final Answers answers;

    Exchanges(StorageArray array) {
        this.array = array;
        this.answers = new Answers(array);
    }

    void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = Request.of(exchange);
            var misbehaviour = array.misbehaviour();
            Optional<Reply> reply;
            if (misbehaviour.isEmpty()) {
                reply = Optional.of(Reply.enveloped(answers.answer(request)));
            } else if (request.path().equals(RULES)) {
                reply = Optional.of(rules(request, misbehaviour.get()));
            } else {
                reply = misbehave(request, misbehaviour.get());
            }
            if (reply.isPresent()) {
                reply.get().send(exchange);
            }
            // Otherwise closing the exchange ends the connection without an answer.
        }
    }

    /** Tells or replaces the rules. An array that was not started to misbehave does not know this. */
    private Reply rules(Request request, Misbehaviour misbehaviour) {
        var key = request.key();
        if (key == null || !array.keys().admits(key)) {
            return Reply.text(403, "the access key is missing or is not the array's");
        }
        if (request.method().equals("PUT")) {
            try {
                var body = request.body();
                misbehaviour.replace(body == null ? "" : body);
            } catch (StowageException refused) {
                return Reply.text(400, String.valueOf(refused.getMessage()));
            }
        }
        return Reply.text(200, misbehaviour.text());
    }

    private Optional<Reply> misbehave(Request request, Misbehaviour misbehaviour) {
        var rules = misbehaviour.about(request.method(), request.path());
        for (Rule rule : rules) {
            switch (rule.kind()) {
                case DELAY -> misbehaviour.pause(Duration.ofMillis(rule.value()));
                case THROTTLE -> misbehaviour.awaitTurn(rule.value());
                case FAIL, HTTP, DROP, DROP_AFTER, LIE, LATER, FULL -> {
                    // These take the place of the answer.
                }
            }
        }
        return instead(request, rules, misbehaviour)
                .orElseGet(() -> Optional.of(Reply.enveloped(answers.answer(request))));
    }

    /** What a rule makes of the call; empty if the call is to go its way, and in it empty for no answer at all. */
    private Optional<Optional<Reply>> instead(Request request, List<Rule> rules, Misbehaviour misbehaviour) {
        for (Rule rule : rules) {
            switch (rule.kind()) {
                case FAIL -> {
                    return replied(Answers.refused(rule.value(), "this call was told to fail"));
                }
                case HTTP -> {
                    return Optional.of(Optional.of(Reply.page((int) rule.value())));
                }
                case DROP -> {
                    return Optional.of(Optional.empty());
                }
                case DROP_AFTER -> {
                    answers.answer(request);
                    return Optional.of(Optional.empty());
                }
                case LIE -> {
                    return replied(Map.of("status", 0));
                }
                case LATER -> {
                    Thread.ofPlatform().daemon().name("later").start(() -> {
                        misbehaviour.pause(Duration.ofMillis(rule.value()));
                        answers.answer(request);
                    });
                    return replied(Answers.refused(UNDER_WAY, "the call is under way"));
                }
                case DELAY, THROTTLE, FULL -> {
                    // These let the call go its way.
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Optional<Reply>> replied(Map<String, Object> response) {
        return Optional.of(Optional.of(Reply.enveloped(response)));
    }
}
