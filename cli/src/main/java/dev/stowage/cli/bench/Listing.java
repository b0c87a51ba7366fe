package dev.stowage.cli.bench;

import com.google.protobuf.CodedInputStream;
import csi.v1.ControllerGrpc;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import dev.stowage.core.volume.Sizes;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.ToIntFunction;

/** Somebody asks for all volumes, in pages of a size it names or as the driver gives them. */
final class Listing implements Workload {

    private static final int ANSWER_LIMIT = (int) (64 * Sizes.MIB);
    private static final MethodDescriptor<ListVolumesRequest, Page> COUNTED =
            ControllerGrpc.getListVolumesMethod().toBuilder(
                            ControllerGrpc.getListVolumesMethod().getRequestMarshaller(), new Counting())
                    .build();

    private final String title;
    private final ToIntFunction<DriverUnderTest> pageSize;
    private final ToIntFunction<DriverUnderTest> present;

    private Listing(String title, ToIntFunction<DriverUnderTest> pageSize, ToIntFunction<DriverUnderTest> present) {
        this.title = title;
        this.pageSize = pageSize;
        this.present = present;
    }

    /** @param present how many volumes a driver has at least */
    static Listing whole(ToIntFunction<DriverUnderTest> present) {
        return new Listing("list all, no page size asked", driver -> 0, present);
    }

    /** @param present how many volumes a driver has at least */
    static Listing paged(ToIntFunction<DriverUnderTest> present) {
        return new Listing("list all, in pages of 500", DriverUnderTest::pageSize, present);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Lane lane(DriverUnderTest driver, int number) {
        return () -> {
            int entries = 0;
            String token = "";
            do {
                var page = page(driver, token);
                entries += page.entries();
                token = page.nextToken();
            } while (!token.isEmpty());
            if (entries < present.applyAsInt(driver)) {
                throw new IOException(
                        "listed " + entries + " volumes where there are " + present.applyAsInt(driver) + " or more");
            }
        };
    }

    private Page page(DriverUnderTest driver, String token) {
        return ClientCalls.blockingUnaryCall(
                driver.client().channel().grpc(),
                COUNTED,
                CallOptions.DEFAULT.withMaxInboundMessageSize(ANSWER_LIMIT),
                ListVolumesRequest.newBuilder()
                        .setMaxEntries(pageSize.applyAsInt(driver))
                        .setStartingToken(token)
                        .build());
    }

    record Page(int entries, String nextToken) {}

    /** Counts entries instead of making objects of them: it is the driver that is measured, and this client's memory is small. */
    static final class Counting implements MethodDescriptor.Marshaller<Page> {

        @Override
        public InputStream stream(Page value) {
            return new ByteArrayInputStream(new byte[0]);
        }

        @Override
        public Page parse(InputStream stream) {
            try {
                var in = CodedInputStream.newInstance(stream);
                in.setSizeLimit(ANSWER_LIMIT);
                int entries = 0;
                String token = "";
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    if (tag >>> 3 == ListVolumesResponse.NEXT_TOKEN_FIELD_NUMBER) {
                        token = in.readStringRequireUtf8();
                    } else {
                        entries += tag >>> 3 == ListVolumesResponse.ENTRIES_FIELD_NUMBER ? 1 : 0;
                        in.skipField(tag);
                    }
                }
                return new Page(entries, token);
            } catch (IOException malformed) {
                throw new UncheckedIOException(malformed);
            }
        }
    }
}
