package dev.stowage.clustertests.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SameImageTest {

    @TempDir
    private Path elsewhere;

    @Test
    void theSameInputsGiveTheSameImageWhereverWheneverAndByWhomeverItIsBuilt() throws IOException {
        var image = ImageUnderTest.get();
        var file = elsewhere.resolve("a/deeper/place/image.tar");
        var classes =
                Files.writeString(elsewhere.resolve("classes"), image.built().classes());

        var again = Programs.run(
                ImageUnderTest.PATIENCE,
                List.of(
                        "/bin/sh",
                        "-c",
                        "umask 077; exec \"$@\"",
                        "sh",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.stowage.workbench.Workbench",
                        "image",
                        "--output",
                        file.toString(),
                        "--name",
                        "registry.example/another/name:1",
                        "--compression",
                        "1",
                        "--classes",
                        classes.toString()),
                Map.of(
                        "STOWAGE_HOME", ImageUnderTest.home().toString(),
                        "STOWAGE_DIST", ImageUnderTest.distribution().toString(),
                        "STOWAGE_CACHE", cacheWithTheSamePackages().toString(),
                        "TZ", "Asia/Kolkata",
                        "LANG", "de_DE.UTF-8"),
                "");

        assertThat(again.exitCode()).as(again.stderr()).isZero();
        assertThat(image.built().layers())
                .allSatisfy(
                        layer -> assertThat(again.stdout()).as(layer.title()).contains(layer.digest()));
        assertThat(again.stdout()).contains("digest  " + image.built().digest());
        assertThat(elsewhere.resolve("a/deeper/place/image.cdx.json"))
                .hasBinaryContent(image.built().sbom());
        assertThat(elsewhere.resolve("a/deeper/place/image.classes"))
                .hasContent(image.built().classes());
    }

    private Path cacheWithTheSamePackages() throws IOException {
        var cache = elsewhere.resolve("cache");
        Files.createDirectories(cache.resolve("image"));
        Files.createSymbolicLink(
                cache.resolve("image/debian"), ImageUnderTest.cache().resolve("debian"));
        return cache;
    }
}
