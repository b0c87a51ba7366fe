package dev.stowage.workbench.image;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** What an image is made of, as a software bill of materials in CycloneDX's JSON form. */
final class Sbom {
    private static final Pattern COORDINATES =
            Pattern.compile("([\\w.-]+):([\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):(?:compile|runtime)");
    private static final Pattern FILE_NAME = Pattern.compile("(.+?)-(\\d.*)\\.jar");

    private final String version;
    private final List<Map<String, Object>> components = new ArrayList<>();

    Sbom(String version) {
        this.version = version;
    }

    Sbom add(JavaRuntime runtime) {
        var name = "java-runtime";
        var reference = "pkg:generic/" + name + "@" + encoded(runtime.version());
        components.add(Json.object(
                "type",
                "platform",
                "bom-ref",
                reference,
                "supplier",
                Json.object("name", runtime.vendor()),
                "name",
                name,
                "version",
                runtime.version(),
                "purl",
                reference,
                "properties",
                List.of(Json.object("name", "stowage:modules", "value", String.join(",", runtime.modules())))));
        return this;
    }

    /** @param coordinates what Maven says about the jars, one per line */
    Sbom add(List<Path> jars, String coordinates) throws IOException {
        var groups = new HashMap<String, String[]>();
        COORDINATES
                .matcher(coordinates)
                .results()
                .forEach(found -> groups.put(
                        found.group(2) + "-" + found.group(3) + ".jar",
                        new String[] {found.group(1), found.group(2), found.group(3)}));
        for (var jar : jars) {
            var file = jar.getFileName().toString();
            var known = groups.get(file);
            components.add(known == null ? ofItself(jar, file) : component(jar, known[0], known[1], known[2]));
        }
        return this;
    }

    Sbom add(List<DebianPackage> packages) {
        for (var one : packages) {
            var reference = "pkg:deb/debian/%s@%s?arch=%s"
                    .formatted(encoded(one.name()), encoded(one.version()), one.architecture());
            components.add(Json.object(
                    "type",
                    "library",
                    "bom-ref",
                    reference,
                    "name",
                    one.name(),
                    "version",
                    one.version(),
                    "hashes",
                    hashes(one.digest()),
                    "purl",
                    reference,
                    "properties",
                    List.of(Json.object("name", "debian:source", "value", one.source()))));
        }
        return this;
    }

    /** The serial number is made from the content, so that the same content is the same document. */
    byte[] bytes() {
        var serial = UUID.nameUUIDFromBytes(Json.bytes(components));
        var reference = "pkg:maven/dev.stowage/stowage@" + encoded(version);
        return Json.bytes(Json.object(
                "$schema",
                "http://cyclonedx.org/schema/bom-1.6.schema.json",
                "bomFormat",
                "CycloneDX",
                "specVersion",
                "1.6",
                "serialNumber",
                "urn:uuid:" + serial,
                "version",
                1,
                "metadata",
                Json.object(
                        "component",
                        Json.object("type", "container", "bom-ref", reference, "name", "stowage", "version", version)),
                "components",
                components));
    }

    /** The program's own jar is not among its dependencies; its name says what it is. */
    private static Map<String, Object> ofItself(Path jar, String file) throws IOException {
        var name = FILE_NAME.matcher(file);
        return name.matches() && file.startsWith("stowage-")
                ? component(jar, "dev.stowage", name.group(1), name.group(2))
                : component(jar, "unknown", file, "unknown");
    }

    private static Map<String, Object> component(Path jar, String group, String name, String version)
            throws IOException {
        var reference = "pkg:maven/%s/%s@%s".formatted(group, name, encoded(version));
        return Json.object(
                "type",
                "library",
                "bom-ref",
                reference,
                "group",
                group,
                "name",
                name,
                "version",
                version,
                "hashes",
                hashes(Digests.of(jar)),
                "purl",
                reference);
    }

    private static List<Map<String, Object>> hashes(String digest) {
        return List.of(Json.object("alg", "SHA-256", "content", digest));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String coordinates(Path libraries) throws IOException {
        var file = libraries.resolve("jars.txt");
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
