package dev.stowage.conformance.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where in a call an effect comes, learnt from a call that was watched. */
final class EffectCount {

    private EffectCount() {}

    /** How many effects the call has had once the n-th of that kind is done. */
    static int upTo(Path effectsLog, String call, String kind, int nth) throws IOException {
        List<String> effects = Files.readAllLines(effectsLog).stream()
                .filter(line -> line.startsWith(call + " "))
                .toList();
        int seen = 0;
        for (int i = 0; i < effects.size(); i++) {
            if (effects.get(i).startsWith(call + " " + kind + " ") && ++seen == nth) {
                return i + 1;
            }
        }
        throw new IllegalStateException(call + " has no " + nth + ". effect " + kind + ": " + effects);
    }
}
