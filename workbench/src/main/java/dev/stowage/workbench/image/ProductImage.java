package dev.stowage.workbench.image;

import dev.stowage.workbench.WorkbenchException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The image of the program: everything that a node or a controller needs, from the lowest layer, which rarely changes, upwards. */
public final class ProductImage {
    public static final String HOME = "/opt/stowage";
    public static final String JAVA = HOME + "/runtime/bin/java";
    public static final String ARGUMENTS = HOME + "/java.args";
    public static final String SBOM = HOME + "/sbom.cdx.json";
    static final List<String> ENVIRONMENT = List.of(ImageSettings.SEARCH_PATH, "LANG=C.UTF-8");

    /** Of every file. Not the epoch: there the JVM does not compare the time of a jar with what its archive was made from. */
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    private static final Pattern PROGRAM = Pattern.compile("stowage-cli-(.+)\\.jar");
    private static final String MAIN_CLASS = "dev.stowage.cli.Stowage";
    private static final String LIBRARIES = HOME + "/lib/";
    private static final String ARCHIVE = HOME + "/classes.jsa";

    /**
     * What the image is made from.
     *
     * @param libraries the program's jars
     * @param flags those of the JVM, one per line
     * @param licence of the program
     * @param javaHome the JDK that the runtime is made from
     * @param cache where packages and lists of classes are kept
     */
    public record Inputs(Path libraries, Path flags, Path licence, Path javaHome, Path cache) {
        /** The version of the program, which the name of its jar ends in. */
        public String version() {
            try (var files = Files.list(libraries)) {
                return files.map(file -> PROGRAM.matcher(file.getFileName().toString()))
                        .filter(Matcher::matches)
                        .map(name -> name.group(1))
                        .findFirst()
                        .orElseThrow(() -> new WorkbenchException(
                                "there is no build of the program in %s; start this through ./stowage"
                                        .formatted(libraries)));
            } catch (IOException failure) {
                throw new WorkbenchException(
                        "cannot read the build of the program in %s: %s".formatted(libraries, failure.getMessage()),
                        failure);
            }
        }
    }

    /**
     * @param names of the image
     * @param level how hard to compress, from 1 (fast) to 22 (small)
     * @param fresh whether to look for newer packages
     * @param classes a list of classes to use instead of the one that is kept or made
     */
    public record Wishes(List<String> names, int level, boolean fresh, Optional<Path> classes) {}

    /**
     * @param digest of the manifest
     * @param classes the list of classes that the archive in the image was made from
     */
    public record Built(Path file, String digest, List<Layer> layers, byte[] sbom, String classes) {}

    private final Inputs inputs;
    private final Path work;

    private ProductImage(Inputs inputs, Path work) {
        this.inputs = inputs;
        this.work = work;
    }

    /** Builds the image in a file. Only one build at a time uses the cache. */
    public static Built build(Inputs inputs, Wishes wishes, Path file) {
        try {
            Files.createDirectories(inputs.cache);
            Files.createDirectories(file.toAbsolutePath().getParent());
            var work = Files.createTempDirectory(file.toAbsolutePath().getParent(), ".image");
            try (var lock = FileChannel.open(
                            inputs.cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var _ = lock.lock()) {
                return new ProductImage(inputs, work).build(wishes, file);
            } finally {
                StartArchive.delete(work);
            }
        } catch (IOException failure) {
            throw new WorkbenchException(
                    "cannot build the image %s: %s".formatted(file, failure.getMessage()), failure);
        }
    }

    private Built build(Wishes wishes, Path file) throws IOException {
        var jars = jars(_ -> true);
        var runtime = JavaRuntime.link(inputs.javaHome, jars, work.resolve("runtime"));
        var tools = Tools.choose(new DebianArchive(inputs.cache.resolve("debian"), wishes.fresh), runtime.directory());
        addSystemFiles(tools.files());
        var sbom = new Sbom(inputs.version())
                .add(runtime)
                .add(jars, Sbom.coordinates(inputs.libraries))
                .add(tools.packages())
                .bytes();
        var trees = new ArrayList<Part>();
        trees.add(new Part("tools and system libraries", tools.files()));
        trees.add(new Part("Java runtime " + runtime.version(), runtimeFiles(runtime)));
        trees.add(new Part("libraries", jarFiles(new Tree(), jar -> !isOwn(jar))));
        trees.add(new Part("stowage " + inputs.version(), ownFiles(sbom)));
        var classes = addArchive(trees, runtime, wishes.classes);

        var layers = new ArrayList<Layer>();
        for (var part : trees) {
            layers.add(Layer.write(
                    part.title,
                    part.tree.entries(),
                    TIME,
                    work.resolve("layer" + layers.size()),
                    new Layer.Packing.Zstandard(wishes.level)));
        }
        var digest = ImageArchive.write(file, layers, settings(), wishes.names);
        return new Built(file, digest, List.copyOf(layers), sbom, classes);
    }

    private record Part(String title, Tree tree) {}

    private ImageSettings settings() {
        return new ImageSettings(
                ENVIRONMENT,
                List.of(JAVA, "@" + ARGUMENTS),
                List.of("--help"),
                "",
                "/",
                Map.of(
                        "org.opencontainers.image.title",
                        "stowage",
                        "org.opencontainers.image.version",
                        inputs.version(),
                        "org.opencontainers.image.description",
                        "Volumes for Kubernetes from the storage you already have"));
    }

    private static void addSystemFiles(Tree tree) {
        for (var name : List.of("bin", "sbin", "lib")) {
            tree.directory("usr/" + name, Tree.DIRECTORY).link(name, "usr/" + name);
        }
        tree.directory("usr/lib64", Tree.DIRECTORY).link("lib64", "usr/lib64");
        for (var name : List.of("dev", "proc", "sys", "run", "run/lock", "var/lib", "var/lib/iscsi", "etc/multipath")) {
            tree.directory(name, Tree.DIRECTORY);
        }
        tree.directory("tmp", 01777);
        tree.link("var/run", "../run");
        tree.link("etc/mtab", "../proc/self/mounts");
        tree.text("etc/passwd", "root:x:0:0:root:/:/nonexistent\nstowage:x:65532:65532:stowage:/:/nonexistent\n");
        tree.text("etc/group", "root:x:0:\nstowage:x:65532:\n");
        tree.text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
    }

    private static Tree runtimeFiles(JavaRuntime runtime) throws IOException {
        var tree = new Tree();
        try (var files = Files.walk(runtime.directory())) {
            for (var file : files.sorted().toList()) {
                var name = HOME.substring(1) + "/runtime/" + runtime.directory().relativize(file);
                if (Files.isSymbolicLink(file)) {
                    tree.link(name, Files.readSymbolicLink(file).toString());
                } else if (Files.isRegularFile(file)) {
                    tree.file(name, file, Files.isExecutable(file) ? Tree.EXECUTABLE : Tree.PLAIN);
                }
            }
        }
        return tree;
    }

    private Tree ownFiles(byte[] sbom) throws IOException {
        var tree = jarFiles(new Tree(), ProductImage::isOwn);
        var arguments = new ArrayList<>(flags());
        arguments.add("-XX:SharedArchiveFile=" + ARCHIVE);
        arguments.addAll(program());
        tree.text(ARGUMENTS.substring(1), String.join("\n", arguments) + "\n");
        tree.file(SBOM.substring(1), Files.write(work.resolve("sbom"), sbom), Tree.PLAIN);
        tree.file(HOME.substring(1) + "/LICENSE", inputs.licence, Tree.PLAIN);
        return tree;
    }

    /** Runs what there is so far, and adds what was learned from it. */
    private String addArchive(List<Part> parts, JavaRuntime runtime, Optional<Path> given) throws IOException {
        var root = new ImageRoot(Files.createDirectory(work.resolve("root")), ENVIRONMENT);
        for (var part : parts) {
            ImageRoot.materialise(part.tree.entries(), TIME, root.directory());
        }
        var start = new StartArchive(root, java(), program());
        var classes = Files.readString(given.isPresent() ? given.get() : classesOf(start, runtime));
        var archive = work.resolve("archive");
        start.write(classes, archive);
        parts.add(new Part("classes loaded ahead of time", new Tree().file(ARCHIVE.substring(1), archive, Tree.PLAIN)));
        return classes;
    }

    /** What starts with these jars need is seen once, and kept. */
    private Path classesOf(StartArchive start, JavaRuntime runtime) throws IOException {
        var kept = inputs.cache.resolve("classes-" + fingerprint(runtime));
        if (!Files.exists(kept)) {
            var unfinished = Files.writeString(work.resolve("classes"), start.rehearse());
            Files.move(unfinished, kept, StandardCopyOption.REPLACE_EXISTING);
        }
        return kept;
    }

    private String fingerprint(JavaRuntime runtime) throws IOException {
        var parts = new ArrayList<>(java());
        parts.add(runtime.version());
        parts.addAll(runtime.modules());
        for (var jar : jars(_ -> true)) {
            parts.add(jar.getFileName() + " " + Digests.of(jar));
        }
        return Digests.of(String.join("\n", parts));
    }

    private List<String> java() throws IOException {
        var java = new ArrayList<>(List.of(JAVA));
        java.addAll(flags());
        return java;
    }

    private List<String> flags() throws IOException {
        return Files.readAllLines(inputs.flags).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private List<String> program() throws IOException {
        var jars = jars(_ -> true).stream()
                .map(jar -> LIBRARIES + inputs.libraries.relativize(jar))
                .toList();
        return List.of("-cp", String.join(":", jars), MAIN_CLASS);
    }

    private Tree jarFiles(Tree tree, Predicate<Path> filter) throws IOException {
        for (var jar : jars(filter)) {
            var stored = StoredJar.write(jar, work.resolve(jar.getFileName().toString()));
            tree.file(LIBRARIES.substring(1) + inputs.libraries.relativize(jar), stored, Tree.PLAIN);
        }
        return tree;
    }

    /** In the order of the class path, which is that of the launcher: what only some roles need comes last. */
    private List<Path> jars(Predicate<Path> filter) throws IOException {
        var jars = new ArrayList<Path>();
        for (var directory : List.of(inputs.libraries, inputs.libraries.resolve("kube"))) {
            try (var files = Files.list(directory)) {
                files.filter(file -> file.toString().endsWith(".jar"))
                        .filter(filter)
                        .sorted()
                        .forEach(jars::add);
            }
        }
        return jars;
    }

    private static boolean isOwn(Path jar) {
        return jar.getFileName().toString().startsWith("stowage-");
    }
}
