package dev.stowage.clustertests.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.stowage.workbench.image.ImageRoot;
import dev.stowage.workbench.image.ProductImage;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The image of this checkout, built once for all tests of this process, and its files in a directory. */
public final class ImageUnderTest {
    public static final String NAME = "localhost/stowage:test";
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final JsonMapper JSON = new JsonMapper();
    private static @Nullable ImageUnderTest image;

    private final ProductImage.Built built;
    private final ImageRoot root;
    private final JsonNode config;

    private ImageUnderTest(ProductImage.Built built, ImageRoot root, JsonNode config) {
        this.built = built;
        this.root = root;
        this.config = config;
    }

    public static synchronized ImageUnderTest get() throws IOException {
        var present = image;
        if (present == null) {
            var directory = Files.createTempDirectory("stowage-image");
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> Programs.run(PATIENCE, "rm", "-rf", directory.toString())));
            present = unpack(ProductImage.build(inputs(), wishes(), directory.resolve("image.tar")), directory);
            image = present;
        }
        return present;
    }

    static ProductImage.Inputs inputs() {
        return new ProductImage.Inputs(
                distribution().resolve("lib"),
                home().resolve("cli/src/main/launcher/java.flags"),
                home().resolve("LICENSE"),
                Path.of(System.getProperty("java.home")),
                cache());
    }

    /** Fast rather than small. */
    static ProductImage.Wishes wishes() {
        return new ProductImage.Wishes(List.of(NAME), 1, false, Optional.empty());
    }

    public static Path home() {
        return Path.of(environment("STOWAGE_HOME"));
    }

    static Path distribution() {
        return home().resolve("cli/target/dist");
    }

    static Path cache() {
        return Path.of(environment("STOWAGE_CACHE")).resolve("image");
    }

    static String environment(String variable) {
        var value = System.getenv(variable);
        if (value == null) {
            throw new IllegalStateException(variable + " is not set; run the tests with ./stowage test");
        }
        return value;
    }

    public ProductImage.Built built() {
        return built;
    }

    ImageRoot root() {
        return root;
    }

    /** What a container of it is started with. */
    JsonNode config() {
        return config;
    }

    Path inside(String path) {
        return root.directory().resolve(path.substring(1));
    }

    /** The command of a container with these arguments. */
    List<String> command(String... arguments) {
        var command = new ArrayList<String>();
        config.path("Entrypoint").forEach(word -> command.add(word.asText()));
        command.addAll(List.of(arguments));
        return command;
    }

    Programs.Result run(List<String> command) {
        return Programs.run(PATIENCE, root.process(command).command());
    }

    /** As a container runtime does it: what the manifest names, layer upon layer. */
    private static ImageUnderTest unpack(ProductImage.Built built, Path directory) throws IOException {
        var layout = Files.createDirectory(directory.resolve("layout"));
        Programs.run(PATIENCE, "tar", "-xf", built.file().toString(), "-C", layout.toString())
                .orThrow();
        var manifest = read(
                layout, read(layout.resolve("index.json")).path("manifests").path(0));
        var files = Files.createDirectory(directory.resolve("root"));
        for (var layer : manifest.path("layers")) {
            var tar = directory.resolve("layer.tar");
            try (var packed = new ZstdInputStreamNoFinalizer(Files.newInputStream(blob(layout, layer)))) {
                Files.copy(packed, tar);
            }
            Programs.run(PATIENCE, "tar", "-xpf", tar.toString(), "-C", files.toString())
                    .orThrow();
            Files.delete(tar);
        }
        var config = read(layout, manifest.path("config")).path("config");
        var environment = new ArrayList<String>();
        config.path("Env").forEach(variable -> environment.add(variable.asText()));
        return new ImageUnderTest(built, new ImageRoot(files, environment), config);
    }

    private static Path blob(Path layout, JsonNode descriptor) {
        return layout.resolve("blobs")
                .resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    private static JsonNode read(Path layout, JsonNode descriptor) throws IOException {
        return read(blob(layout, descriptor));
    }

    static JsonNode read(Path file) throws IOException {
        return JSON.readTree(Files.readAllBytes(file));
    }
}
