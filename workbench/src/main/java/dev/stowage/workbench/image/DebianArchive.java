package dev.stowage.workbench.image;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Debian packages from wherever this machine takes its own, kept in a directory of ours. What is installed here does not matter, nor
 * does who asks: apt works on lists of our own. A package that was taken once stays the same until fresh ones are asked for.
 */
final class DebianArchive {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path directory;
    private final Map<String, DebianPackage> opened = new HashMap<>();
    private boolean upToDate;

    DebianArchive(Path directory, boolean fresh) throws IOException {
        this.directory = directory;
        for (var part : List.of("lists/partial", "cache/archives/partial", "packages", "unpacked")) {
            Files.createDirectories(directory.resolve(part));
        }
        Files.writeString(directory.resolve("status"), ""); // nothing is installed, as far as apt is concerned
        if (fresh) {
            update();
            try (var chosen = Files.newDirectoryStream(directory.resolve("packages"))) {
                for (var one : chosen) {
                    Files.delete(one);
                }
            }
        }
    }

    DebianPackage open(String name) throws IOException {
        var known = opened.get(name);
        if (known == null) {
            known = unpack(file(name));
            opened.put(name, known);
        }
        return known;
    }

    private Path file(String name) throws IOException {
        var kept = kept(name);
        if (!kept.isEmpty()) {
            return kept.getFirst();
        }
        if (!upToDate && isEmpty(directory.resolve("lists"))) {
            update();
        }
        var attempt = download(name);
        if (!attempt.succeeded() && !upToDate) {
            update(); // what the lists name may have been replaced since
            attempt = download(name);
        }
        var got = kept(name);
        if (got.isEmpty()) {
            throw new WorkbenchException(
                    "cannot fetch the Debian package %s, which belongs into the image: %s. Check the network and the package sources of this machine (/etc/apt)"
                            .formatted(name, attempt.stderr().strip()));
        }
        return got.getFirst();
    }

    private List<Path> kept(String name) throws IOException {
        var found = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(directory.resolve("packages"), name + "_*.deb")) {
            files.forEach(found::add);
        }
        return found;
    }

    private Programs.Result download(String name) throws IOException {
        var incoming = Files.createTempDirectory(directory, "incoming");
        try {
            var result = apt(List.of("env", "--chdir=" + incoming), "download", name);
            try (var files = Files.newDirectoryStream(incoming, "*.deb")) {
                for (var file : files) {
                    Files.move(file, directory.resolve("packages").resolve(file.getFileName()));
                }
            }
            return result;
        } finally {
            Files.deleteIfExists(incoming);
        }
    }

    /** One source that does not answer is no reason to stop: whether the package can be had from the others will be seen. */
    private void update() {
        apt(List.of(), "update");
        upToDate = true;
    }

    private Programs.Result apt(List<String> before, String... arguments) {
        var command = new ArrayList<>(before);
        command.addAll(List.of(
                "apt-get",
                "--quiet",
                "--option=Dir::State::lists=" + directory.resolve("lists"),
                "--option=Dir::State::status=" + directory.resolve("status"),
                "--option=Dir::Cache=" + directory.resolve("cache"),
                "--option=APT::Sandbox::User=",
                "--option=Acquire::Languages=none"));
        command.addAll(List.of(arguments));
        return Programs.run(PATIENCE, command);
    }

    private DebianPackage unpack(Path file) throws IOException {
        var digest = Digests.of(file);
        var files = directory.resolve("unpacked").resolve(digest);
        if (!Files.exists(files)) {
            var unfinished = Files.createTempDirectory(directory.resolve("unpacked"), "new");
            Programs.run(PATIENCE, "dpkg-deb", "--extract", file.toString(), unfinished.toString())
                    .orThrow();
            Files.move(unfinished, files);
        }
        var fields = new HashMap<String, String>();
        Programs.run(PATIENCE, "dpkg-deb", "--field", file.toString())
                .orThrow()
                .lines()
                .filter(line -> !line.startsWith(" ") && line.contains(": "))
                .forEach(line -> fields.put(
                        line.substring(0, line.indexOf(':')),
                        line.substring(line.indexOf(':') + 1).strip()));
        var name = fields.getOrDefault("Package", "");
        var version = fields.getOrDefault("Version", "");
        return new DebianPackage(
                name,
                version,
                fields.getOrDefault("Architecture", ""),
                source(fields.getOrDefault("Source", name), version),
                digest,
                Stream.of("Pre-Depends", "Depends")
                        .flatMap(field ->
                                Stream.of(fields.getOrDefault(field, "").split(",", -1)))
                        .map(dependency -> dependency.strip().split("[ :(|]", 2)[0])
                        .filter(dependency -> !dependency.isEmpty())
                        .toList(),
                files);
    }

    /** A source has a version of its own only where it differs, in brackets. */
    private static String source(String field, String version) {
        int bracket = field.indexOf('(');
        return bracket < 0
                ? field + " " + version
                : field.substring(0, bracket).strip() + " " + field.substring(bracket + 1, field.indexOf(')'));
    }

    private static boolean isEmpty(Path lists) {
        try (var files = Files.list(lists)) {
            return files.noneMatch(file -> file.getFileName().toString().contains("_Packages"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
