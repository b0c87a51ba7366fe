package dev.stowage.array.rest;

import dev.stowage.array.StorageArray;
import dev.stowage.array.service.Keys;
import dev.stowage.array.service.Refusal;
import dev.stowage.array.service.Status;
import dev.stowage.core.error.StowageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From a request to what is in the answer's envelope. Whatever comes of a call, there is an answer. */
final class Answers {

    private static final Logger log = LoggerFactory.getLogger(Answers.class);

    private final Keys keys;
    private final Routes routes;

    Answers(StorageArray array) {
        this.keys = array.keys();
        this.routes = new Api(array).routes();
    }

    Map<String, Object> answer(Request request) {
        try {
            var response = new LinkedHashMap<String, Object>();
            response.put("status", Status.OK.number());
            response.putAll(call(request));
            return response;
        } catch (Refusal refusal) {
            return refused(refusal.status().number(), String.valueOf(refusal.getMessage()));
        } catch (StowageException failure) {
            log.warn("{}: {}", request, failure.getMessage());
            return refused(status(failure).number(), String.valueOf(failure.getMessage()));
        } catch (RuntimeException failure) {
            log.error("{}: failed", request, failure);
            return refused(Status.FAILED.number(), failure.toString());
        }
    }

    static Map<String, Object> refused(long status, String message) {
        return Map.of("status", status, "status-msg", message, "message", message);
    }

    private static Status status(StowageException failure) {
        return switch (failure) {
            case StowageException.Exhausted _ -> Status.NO_ROOM;
            case StowageException.Busy _ -> Status.BUSY;
            case StowageException.InvalidRequest _ -> Status.INVALID;
            case StowageException.OutOfRange _ -> Status.INVALID;
            case StowageException.AlreadyExists _ -> Status.NAME_TAKEN;
            case StowageException.NotPossible _ -> Status.NOT_POSSIBLE;
            case StowageException.NotFound _ -> Status.FAILED;
            case StowageException.Unavailable _ -> Status.FAILED;
            case StowageException.Internal _ -> Status.FAILED;
        };
    }

    private Map<String, Object> call(Request request) {
        var parameters = new Parameters().form(request.query());
        var match = routes.find(request.method(), request.path())
                .orElseThrow(() -> Refusal.of(Status.NO_SUCH_CALL, "%s is not a call of this API", request.toString()));
        if (!match.open()) {
            requireKey(request, parameters);
        }
        var body = request.body();
        if (body == null) {
            throw Refusal.invalid("the request is larger than %d bytes", Request.LARGEST_BODY);
        }
        if (body.startsWith("{") || body.startsWith("[")) {
            parameters.json(body);
        } else {
            parameters.form(body);
        }
        return match.handler().answer(new Call(match.ids(), parameters));
    }

    private void requireKey(Request request, Parameters parameters) {
        var key = Optional.ofNullable(request.key())
                .or(() -> parameters.text("access_key", "api_key"))
                .orElse("");
        if (!keys.admits(key)) {
            throw Refusal.of(Status.BAD_CREDENTIALS, "the access key is missing or is not the array's");
        }
    }
}
