package dev.stowage.workbench.image;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A Java runtime with the modules that the program needs, and no others. */
record JavaRuntime(Path directory, Set<String> modules, String version, String vendor) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Pattern DEPENDENCY = Pattern.compile("(?m)^\\S+ -> ((?:java|jdk)\\.\\S+)$");

    /**
     * Modules that a library mentions and does without: it asks whether their classes are there and goes on if they are not. gson
     * would read the dates of java.sql; Jackson and SnakeYAML would read annotations of java.beans, which is in java.desktop; Jackson would also write
     * XML documents.
     */
    private static final Set<String> DISPENSABLE = Set.of("java.sql", "java.desktop", "java.xml");

    /** Programs and files of java.base that nothing here uses. */
    private static final String LEFT_OUT = "/java.base/lib/classlist,/java.base/lib/jrt-fs.jar,/java.base/lib/jexec,"
            + "/java.base/bin/keytool,/jdk.httpserver/bin/jwebserver,/java.base/lib/libjsig.so,/java.base/lib/server/libjsig.so";

    /** Makes one in a directory that does not exist yet. */
    static JavaRuntime link(Path javaHome, List<Path> jars, Path directory) throws IOException {
        var modules = modules(javaHome, jars);
        Programs.run(
                        PATIENCE,
                        javaHome.resolve("bin/jlink").toString(),
                        "--add-modules",
                        String.join(",", modules),
                        "--no-header-files",
                        "--no-man-pages",
                        "--strip-java-debug-attributes",
                        "--exclude-files",
                        LEFT_OUT,
                        "--output",
                        directory.toString())
                .orThrow();
        var release = new Properties();
        try (var reader = Files.newBufferedReader(javaHome.resolve("release"))) {
            release.load(reader);
        }
        return new JavaRuntime(
                directory, modules, unquoted(release, "JAVA_RUNTIME_VERSION"), unquoted(release, "IMPLEMENTOR"));
    }

    private static Set<String> modules(Path javaHome, List<Path> jars) {
        var command = new ArrayList<>(List.of(
                javaHome.resolve("bin/jdeps").toString(),
                "-summary",
                "--ignore-missing-deps",
                "--multi-release",
                "25"));
        command.add("--class-path");
        command.add(String.join(":", jars.stream().map(Path::toString).toList()));
        jars.forEach(jar -> command.add(jar.toString()));
        var said = Programs.run(PATIENCE, command).orThrow();
        var modules = new TreeSet<String>();
        DEPENDENCY.matcher(said).results().forEach(found -> modules.add(found.group(1)));
        modules.removeAll(DISPENSABLE);
        if (!modules.contains("java.base")) {
            throw new WorkbenchException("jdeps did not tell which modules the jars in %s need; it said: %s"
                    .formatted(jars.getFirst().getParent(), said.strip()));
        }
        return modules;
    }

    private static String unquoted(Properties release, String name) {
        return release.getProperty(name, "unknown").replace("\"", "");
    }
}
