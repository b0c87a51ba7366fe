package dev.stowage.conformance.crash;

import com.google.protobuf.Message;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A call in a certain situation.
 *
 * @param rpc the call's name
 * @param situation what is special about it
 * @param sharesBlocks whether the pool can share blocks
 * @param prepare makes the situation
 * @param call makes the call; the world learns of it only when it is answered
 * @param use goes on to use what the call brought about, so that it is seen to work
 */
record Scenario(
        String rpc,
        String situation,
        boolean sharesBlocks,
        Consumer<World> prepare,
        Function<World, Message> call,
        Consumer<World> use) {

    Scenario(
            String rpc,
            String situation,
            boolean sharesBlocks,
            Consumer<World> prepare,
            Function<World, Message> call) {
        this(rpc, situation, sharesBlocks, prepare, call, world -> {});
    }

    @Override
    public String toString() {
        return rpc + ", " + situation;
    }
}
