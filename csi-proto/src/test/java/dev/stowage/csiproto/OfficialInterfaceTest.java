package dev.stowage.csiproto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import csi.v1.Csi;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our csi.proto may differ from the official one in comments, language options and the one rename, and in nothing else. */
class OfficialInterfaceTest {
    private static final String OFFICIAL = "STOWAGE_OFFICIAL_CSI_PROTO";

    @SuppressWarnings("NullAway.Init") // set before every test
    private static FileDescriptorProto ours;

    @SuppressWarnings("NullAway.Init") // set before every test
    private static FileDescriptorProto official;

    @BeforeAll
    static void compileBoth(@TempDir Path work) throws IOException, InterruptedException {
        String path = System.getenv(OFFICIAL);
        assertThat(path)
                .as("%s must name the official csi.proto 1.13.0; `./stowage test` downloads it and sets it", OFFICIAL)
                .isNotNull();
        var protoc = Protoc.fromTheBuild(work);
        official = protoc.compile(Path.of(path));
        ours = protoc.compile(Path.of("src", "main", "protobuf", "csi", "v1", "csi.proto"));
    }

    @Test
    void everyElementIsTheOfficialOne() {
        var actual = elements(Renames.undo(ours, "modifiable_parameters", "mutable_parameters"));
        var expected = elements(official);
        assertThat(actual.keySet()).containsExactlyElementsOf(expected.keySet());
        expected.forEach(
                (name, element) -> assertThat(actual.get(name)).as(name).isEqualTo(element));
    }

    @Test
    void allThirtySixCallsAreGenerated() {
        var calls = Csi.getDescriptor().getServices().stream()
                .mapToInt(service -> service.getMethods().size())
                .sum();
        assertThat(calls).isEqualTo(36);
    }

    /** Every top-level element by name, in full, so that a difference names the element it is in. */
    private static Map<String, Object> elements(FileDescriptorProto file) {
        var elements = new TreeMap<String, Object>();
        elements.put("syntax", file.getSyntax());
        elements.put("package", file.getPackage());
        elements.put("imports", file.getDependencyList());
        file.getMessageTypeList().forEach(message -> elements.put("message " + message.getName(), message));
        file.getEnumTypeList().forEach(type -> elements.put("enum " + type.getName(), type));
        file.getServiceList()
                .forEach(service -> elements.put("service " + service.getName(), withoutEmptyOptions(service)));
        file.getExtensionList().forEach(extension -> elements.put("option " + extension.getName(), extension));
        return elements;
    }

    /** {@code rpc A(B) returns (C) {}} and {@code rpc A(B) returns (C);} mean the same, but the first has options, if none. */
    private static ServiceDescriptorProto withoutEmptyOptions(ServiceDescriptorProto service) {
        var trimmed = service.toBuilder();
        trimmed.getMethodBuilderList().stream()
                .filter(method -> method.getOptions().equals(MethodOptions.getDefaultInstance()))
                .forEach(MethodDescriptorProto.Builder::clearOptions);
        return trimmed.build();
    }
}
