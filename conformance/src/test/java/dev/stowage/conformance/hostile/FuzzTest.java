package dev.stowage.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.rpc.Rpc;
import dev.stowage.conformance.rpc.Scene;
import dev.stowage.conformance.rpc.Spot;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FuzzTest {

    private static final int REQUESTS = 3_000;

    /** What a wrong request, or a right one, may be answered with. */
    private static final Set<Status.Code> SOUND = EnumSet.of(
            Status.Code.OK,
            Status.Code.INVALID_ARGUMENT,
            Status.Code.NOT_FOUND,
            Status.Code.ALREADY_EXISTS,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.ABORTED,
            Status.Code.OUT_OF_RANGE,
            Status.Code.RESOURCE_EXHAUSTED);

    private static final long[] NUMBERS = {
        0, 1, -1, 511, 4096, 1 << 20, 64 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };

    @Test
    void requestsMutatedAtRandomAreAnsweredSoundlyAndTouchNothing() {
        long seed = Long.getLong("stowage.fuzz.seed", System.nanoTime());
        System.out.println("FuzzTest: -Dstowage.fuzz.seed=" + seed);
        var random = new Random(seed);
        try (var workspace = Workspace.create()) {
            try (var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
                var scene = Scene.set(driver.csi(), workspace);
                var watch = Watch.over(workspace, driver);
                var requests = new ArrayList<>(scene.requests());
                requests.addAll(scene.variants());
                var texts = new ArrayList<>(
                        HostileTexts.all(watch.canary().root(), watch.marker()).values());
                texts.addAll(List.of(
                        scene.used().id(),
                        scene.idle().id(),
                        scene.first().getSnapshotId(),
                        scene.group().getGroupSnapshotId(),
                        scene.used().staging().toString(),
                        scene.idle().staging().toString(),
                        scene.used().target("pod").toString(),
                        scene.idle().target("pod").toString(),
                        "ext4",
                        "xfs",
                        "thick",
                        "true",
                        "1000",
                        RunningDriver.NODE));
                var surprises = new ArrayList<String>();
                var seen = new TreeMap<Status.Code, Integer>();
                for (int i = 0; i < REQUESTS; i++) {
                    var request = requests.get(random.nextInt(requests.size()));
                    for (int mutations = 1 + random.nextInt(3); mutations > 0; mutations--) {
                        request = asReceived(
                                random.nextInt(4) == 0
                                        ? otherValue(request, random)
                                        : otherText(request, texts, random));
                    }
                    var answer = Rpc.call(driver.csi(), request);
                    seen.merge(answer.code(), 1, Integer::sum);
                    if (!SOUND.contains(answer.code())) {
                        surprises.add(Rpc.taking(request) + " " + answer + "\n" + request);
                    }
                }
                System.out.println("FuzzTest: answers " + seen);
                assertThat(surprises).as("seed %d", seed).isEmpty();
                watch.assertUnharmed();
            } finally {
                // What right requests among them have staged or published is nobody's.
                workspace.clear();
            }
        }
    }

    /** A map in which a mutation has set a key twice has it once when it arrives. */
    private static Message asReceived(Message request) {
        try {
            return request.getParserForType().parseFrom(request.toByteString());
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Message otherText(Message request, List<String> texts, Random random) {
        var spots = Spot.in(request);
        return spots.isEmpty()
                ? request
                : spots.get(random.nextInt(spots.size())).with().apply(text(texts, random));
    }

    private static String text(List<String> texts, Random random) {
        if (random.nextInt(3) > 0) {
            return texts.get(random.nextInt(texts.size()));
        }
        // Never a path: one that happened to be right would be used, as it should be.
        var made = new StringBuilder();
        random.ints(random.nextInt(40), 0, 0x250).filter(c -> c != '/').forEach(made::appendCodePoint);
        return made.toString();
    }

    /** A number, a choice or a part of the request changed or taken away. */
    private static Message otherValue(Message request, Random random) {
        var fields = request.getDescriptorForType().getFields();
        if (fields.isEmpty()) {
            return request;
        }
        var field = fields.get(random.nextInt(fields.size()));
        var builder = request.toBuilder();
        if (field.isRepeated() || random.nextInt(5) == 0) {
            return builder.clearField(field).build();
        }
        return switch (field.getJavaType()) {
            case INT -> builder.setField(field, (int) number(random)).build();
            case LONG -> builder.setField(field, number(random)).build();
            case BOOLEAN -> builder.setField(field, random.nextBoolean()).build();
            case ENUM -> builder.setField(field, choice(field, random)).build();
            case MESSAGE ->
                builder.setField(field, otherValue((Message) request.getField(field), random))
                        .build();
            case STRING, FLOAT, DOUBLE, BYTE_STRING -> request;
        };
    }

    private static Object choice(FieldDescriptor field, Random random) {
        return field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(12));
    }

    private static long number(Random random) {
        return random.nextBoolean() ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextLong();
    }
}
