package dev.stowage.csiproto;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.Message;
import csi.v1.Csi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The protocol compiler that Maven fetched to generate this module's sources. */
final class Protoc {
    private final Path executable;
    private final Path work;

    private Protoc(Path executable, Path work) {
        this.executable = executable;
        this.work = work;
    }

    static Protoc fromTheBuild(Path work) throws IOException {
        var directory = Path.of(requireNonNull(
                System.getProperty("stowage.test.protoc"),
                "stowage.test.protoc is set in pom.xml; run this test through Maven"));
        Path fetched;
        try (var files = Files.newDirectoryStream(directory, "protoc-*.exe")) {
            var found = files.iterator();
            if (!found.hasNext()) {
                throw new IOException(
                        "No protoc in " + directory + "; run the build without -o so that Maven fetches it");
            }
            fetched = found.next();
        }
        // Maven's repository keeps no execute permission.
        var executable = Files.copy(fetched, work.resolve("protoc"));
        Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwx------"));
        unpackStandardImports(work);
        return new Protoc(executable, work);
    }

    /** The executable comes without the files that every protocol may import; protobuf-java carries them. */
    private static void unpackStandardImports(Path work) throws IOException {
        var directory = Files.createDirectories(work.resolve("google").resolve("protobuf"));
        for (String name : List.of("descriptor.proto", "timestamp.proto", "wrappers.proto")) {
            try (var source = Message.class.getResourceAsStream("/google/protobuf/" + name)) {
                Files.copy(requireNonNull(source, () -> name + " is not in protobuf-java"), directory.resolve(name));
            }
        }
    }

    FileDescriptorProto compile(Path proto) throws IOException, InterruptedException {
        var descriptors = work.resolve("descriptors");
        var log = work.resolve("log");
        var compiler = new ProcessBuilder(
                        executable.toString(),
                        "--proto_path=" + proto.toAbsolutePath().getParent(),
                        "--proto_path=" + work,
                        "--descriptor_set_out=" + descriptors,
                        proto.toAbsolutePath().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (compiler.waitFor() != 0) {
            throw new IOException("protoc refused " + proto + ": " + Files.readString(log));
        }
        // Without the registry the options would compare as raw bytes and print as numbers.
        var options = ExtensionRegistry.newInstance();
        Csi.registerAllExtensions(options);
        return FileDescriptorSet.parseFrom(Files.readAllBytes(descriptors), options)
                .getFile(0);
    }
}
