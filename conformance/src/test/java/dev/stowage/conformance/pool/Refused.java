package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Objects;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A call that must fail, with the code that an orchestrator acts on and a message for people. */
public final class Refused {

    private Refused() {}

    /** Makes the call and returns its message for further assertions. */
    public static AbstractStringAssert<?> with(Status.Code code, ThrowingCallable call) {
        var failure = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(failure).as("a refusal with %s", code).isNotNull();
        var status = Objects.requireNonNull(failure).getStatus();
        assertThat(status.getCode()).as("%s", status.getDescription()).isEqualTo(code);
        return assertThat(status.getDescription());
    }
}
