package dev.stowage.driver.call;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The call that the current thread serves.
 *
 * @param id tells the lines of this call from those of others
 * @param subject the volume, snapshot or name that it is about
 */
public record CallContext(String rpc, String id, Optional<Subject> subject) {

    private static final ScopedValue<CallContext> CURRENT = ScopedValue.newInstance();

    static CallContext of(String rpc, Optional<Subject> subject) {
        return new CallContext(
                rpc, HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()), subject);
    }

    public static Optional<CallContext> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    void run(Runnable work) {
        ScopedValue.where(CURRENT, this).run(work);
    }

    SequencedMap<String, String> fields() {
        var fields = new LinkedHashMap<String, String>();
        fields.put("call", id);
        fields.put("rpc", rpc);
        subject.ifPresent(about -> fields.put(about.kind(), about.value()));
        return fields;
    }
}
