package dev.stowage.driver.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import csi.v1.CreateVolumeRequest;
import csi.v1.Csi;
import csi.v1.VolumeCapability.AccessMode.Mode;
import dev.stowage.driver.testing.Capabilities;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestTextTest {

    @Test
    void aRequestIsReadableOnOneLineAndWithoutItsSecrets() {
        var text = RequestText.of(CreateVolumeRequest.newBuilder()
                .setName("a\nb\0\u001b[31m")
                .putParameters("pool", "p")
                .putSecrets("password", "hunter2")
                .addVolumeCapabilities(
                        Capabilities.mount().toBuilder().setAccessMode(Capabilities.mode(Mode.SINGLE_NODE_WRITER)))
                .build());
        assertThat(text)
                .contains("name: a\\nb\\u0000\\u001b[31m")
                .contains("parameters: [pool: p]")
                .contains("secrets: <stripped>")
                .contains("mode: SINGLE_NODE_WRITER")
                .doesNotContain("hunter2", "password", "\n", "\0", "\u001b");
    }

    /** Every secret field that the interface has, wherever it is. */
    static Stream<Descriptor> messagesWithSecrets() {
        return Csi.getDescriptor().getMessageTypes().stream()
                .filter(type -> type.getFields().stream()
                        .anyMatch(field -> field.getOptions().getExtension(Csi.csiSecret)));
    }

    @ParameterizedTest
    @MethodSource("messagesWithSecrets")
    void noSecretFieldOfTheInterfaceIsShown(Descriptor type) {
        var message = DynamicMessage.newBuilder(type);
        for (var field : type.getFields()) {
            if (field.getOptions().getExtension(Csi.csiSecret)) {
                var entry = DynamicMessage.newBuilder(field.getMessageType());
                entry.setField(field.getMessageType().findFieldByName("key"), "thekey");
                entry.setField(field.getMessageType().findFieldByName("value"), "thesecret");
                message.addRepeatedField(field, entry.build());
            }
        }
        assertThat(RequestText.of(message.build()))
                .contains("<stripped>")
                .doesNotContain("thesecret")
                .doesNotContain("thekey");
    }

    /** A later version of the interface may have secrets in other shapes and deeper down. */
    @Test
    void aNestedSecretOfAnotherShapeIsStrippedToo() throws Exception {
        var secret = FieldOptions.newBuilder().setExtension(Csi.csiSecret, true);
        var file = FileDescriptor.buildFrom(
                FileDescriptorProto.newBuilder()
                        .setName("later.proto")
                        .setPackage("later")
                        .setSyntax("proto3")
                        .addDependency(Csi.getDescriptor().getName())
                        .addMessageType(DescriptorProto.newBuilder()
                                .setName("Inner")
                                .addField(field("token", 1, FieldDescriptorProto.Type.TYPE_STRING)
                                        .setOptions(secret))
                                .addField(field("plain", 2, FieldDescriptorProto.Type.TYPE_STRING)))
                        .addMessageType(DescriptorProto.newBuilder()
                                .setName("Outer")
                                .addField(field("inner", 1, FieldDescriptorProto.Type.TYPE_MESSAGE)
                                        .setTypeName(".later.Inner")
                                        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)))
                        .build(),
                new FileDescriptor[] {Csi.getDescriptor()});
        var innerType = file.findMessageTypeByName("Inner");
        var inner = DynamicMessage.newBuilder(innerType)
                .setField(innerType.findFieldByName("token"), "thesecret")
                .setField(innerType.findFieldByName("plain"), "visible")
                .build();
        var outerType = file.findMessageTypeByName("Outer");
        var outer = DynamicMessage.newBuilder(outerType)
                .addRepeatedField(outerType.findFieldByName("inner"), inner)
                .build();
        assertThat(RequestText.of(outer)).isEqualTo("{inner: [{token: <stripped>, plain: visible}]}");
    }

    @Test
    void aHugeRequestIsCut() {
        var request = CreateVolumeRequest.newBuilder();
        for (int i = 0; i < 10_000; i++) {
            request.putParameters("key" + i, "value");
        }
        assertThat(RequestText.of(request.build())).hasSizeLessThan(4200).endsWith("…");
    }

    private static FieldDescriptorProto.Builder field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
    }
}
