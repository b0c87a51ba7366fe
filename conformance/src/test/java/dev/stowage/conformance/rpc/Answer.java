package dev.stowage.conformance.rpc;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;

/** What a call was answered with; errors are values here, because most tests are about them. */
public record Answer(Status.Code code, String text, List<Message> messages) {

    public Answer {
        messages = List.copyOf(messages);
    }

    /** The code with which the call ends. */
    public static Status.Code codeOf(Runnable call) {
        try {
            call.run();
            return Status.Code.OK;
        } catch (StatusRuntimeException failure) {
            return failure.getStatus().getCode();
        }
    }

    @Override
    public String toString() {
        return code + (text.isEmpty() ? "" : " (" + text + ")");
    }
}
