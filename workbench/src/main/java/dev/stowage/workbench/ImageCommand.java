package dev.stowage.workbench;

import dev.stowage.workbench.image.Layer;
import dev.stowage.workbench.image.ProductImage;
import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "image",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Builds the container image of this checkout, without a daemon: a file for `ctr images import`.",
            "Beside it come its bill of materials (.cdx.json) and the list of classes that are loaded ahead of time (.classes)."
        })
final class ImageCommand implements Callable<Integer> {

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where to put it [workbench/target/stowage-image.tar].")
    private @Nullable Path output;

    @Option(names = "--name", paramLabel = "NAME:TAG", description = "What to call it [localhost/stowage:VERSION].")
    private @Nullable String name;

    @Option(
            names = "--compression",
            paramLabel = "LEVEL",
            defaultValue = "19",
            description = "From 1, which is fast, to 22, which is small [default ${DEFAULT-VALUE}].")
    private int level = 19;

    @Option(
            names = "--fresh",
            description =
                    "Look for newer Debian packages; otherwise those of the last build on this machine are used again.")
    private boolean fresh;

    @Option(
            names = "--classes",
            paramLabel = "FILE",
            description = "The list of classes that came with another image, to make the very same image again.")
    private @Nullable Path classes;

    @Override
    public Integer call() throws IOException {
        var home = Environment.home();
        var inputs = inputs(home);
        var file = output == null ? home.resolve("workbench/target/stowage-image.tar") : output.toAbsolutePath();
        var called = name == null ? "localhost/stowage:" + inputs.version() : checked(name);
        if (level < 1 || level > 22) {
            throw new WorkbenchException("--compression %d: it must be from 1 to 22".formatted(level));
        }
        var built = new ProductImage.Built[1];
        Story.onStderr().step("building the image " + called, () -> {
            built[0] = ProductImage.build(
                    inputs, new ProductImage.Wishes(List.of(called), level, fresh, Optional.ofNullable(classes)), file);
            return megabytes(Files.size(file));
        });
        Files.write(beside(file, ".cdx.json"), built[0].sbom());
        Files.writeString(beside(file, ".classes"), built[0].classes());
        print(called, built[0]);
        return 0;
    }

    private static ProductImage.Inputs inputs(Path home) {
        return new ProductImage.Inputs(
                Environment.path("STOWAGE_DIST").resolve("lib"),
                home.resolve("cli/src/main/launcher/java.flags"),
                home.resolve("LICENSE"),
                Path.of(System.getProperty("java.home")),
                Environment.cache().resolve("image"));
    }

    private static void print(String name, ProductImage.Built built) {
        System.out.println("image   " + name);
        System.out.println("digest  " + built.digest());
        System.out.println("file    " + built.file());
        System.out.printf(Locale.ROOT, "%n%-36s %10s %10s  %s%n", "layer", "packed", "unpacked", "digest");
        for (var layer : built.layers()) {
            row(layer.title(), layer.size(), layer.contentSize(), layer.digest());
        }
        row(
                "all",
                built.layers().stream().mapToLong(Layer::size).sum(),
                built.layers().stream().mapToLong(Layer::contentSize).sum(),
                "");
    }

    private static void row(String title, long packed, long unpacked, String digest) {
        var line = String.format(
                Locale.ROOT, "%-36s %10s %10s  %s", title, megabytes(packed), megabytes(unpacked), digest);
        System.out.println(line.strip());
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }

    private static Path beside(Path image, String suffix) {
        var name = image.getFileName().toString();
        return image.resolveSibling((name.endsWith(".tar") ? name.substring(0, name.length() - 4) : name) + suffix);
    }

    private static String checked(String name) {
        if (!name.matches("[a-z0-9][a-z0-9._/:-]*:[A-Za-z0-9_][A-Za-z0-9_.-]*")) {
            throw new WorkbenchException(
                    "--name %s: it must be a name and a tag, like registry.example/stowage:1.0".formatted(name));
        }
        return name;
    }
}
