package dev.stowage.clustertests.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.image.ProductImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageContentTest {
    private static ImageUnderTest image;

    @BeforeAll
    static void build() throws IOException {
        image = ImageUnderTest.get();
    }

    @ParameterizedTest
    @CsvSource({
        "mkfs.ext4 -V, mke2fs",
        "resize2fs, resize2fs",
        "e2fsck -V, e2fsck",
        "mkfs.xfs -V, mkfs.xfs version",
        "xfs_growfs -V, xfs_growfs version",
        "mkfs.btrfs --version, mkfs.btrfs",
        "btrfs --version, btrfs-progs",
        "btrfstune, btrfstune",
        "iscsiadm --version, iscsiadm version",
        "iscsid --version, iscsid version",
        "multipath -h, multipath-tools",
        "multipathd -h, Invalid argument",
    })
    void everyToolThatANodeCallsFindsItsLibraries(String command, String expected) {
        var said = image.run(List.of(command.split(" ", -1)));

        assertThat(said.stdout() + said.stderr())
                .contains(expected)
                .doesNotContain("error while loading shared libraries");
    }

    @Test
    void thereIsNoShell() {
        assertThat(List.of("/usr/bin/sh", "/usr/bin/bash", "/usr/bin/dash", "/usr/bin/busybox"))
                .allSatisfy(shell -> assertThat(image.inside(shell)).doesNotExist());
    }

    @Test
    void thereIsAUserForRolesThatNeedNoRoot() {
        assertThat(image.inside("/etc/passwd")).content().contains("stowage:x:65532:65532:");
        assertThat(image.inside("/etc/group")).content().contains("stowage:x:65532:");
    }

    @Test
    void theBillOfMaterialsNamesEveryJarWithItsOriginAndVersion() throws IOException {
        var sbom = ImageUnderTest.read(image.inside(ProductImage.SBOM));
        var named = StreamSupport.stream(sbom.path("components").spliterator(), false)
                .filter(component -> component.path("purl").asText().startsWith("pkg:maven/"))
                .toList();

        assertThat(named)
                .extracting(component -> component.path("name").asText() + "-"
                        + component.path("version").asText() + ".jar")
                .containsExactlyInAnyOrderElementsOf(names(image.inside("/opt/stowage/lib")));
        assertThat(named)
                .allSatisfy(component -> assertThat(component.path("group").asText())
                        .isNotEmpty()
                        .isNotEqualTo("unknown"));
    }

    @Test
    void theBillOfMaterialsNamesThePackageOfEveryOtherFileAndItsLicenceIsThere() throws IOException {
        var sbom = ImageUnderTest.read(image.inside(ProductImage.SBOM));
        var packages = StreamSupport.stream(sbom.path("components").spliterator(), false)
                .filter(component -> component.path("purl").asText().startsWith("pkg:deb/"))
                .toList();

        assertThat(packages)
                .extracting(component -> component.path("name").asText())
                .contains(
                        "e2fsprogs", "xfsprogs", "btrfs-progs", "open-iscsi", "multipath-tools", "libc6", "libgcc-s1");
        assertThat(packages).allSatisfy(component -> {
            assertThat(component.path("version").asText()).isNotEmpty();
            assertThat(image.inside("/usr/share/doc/" + component.path("name").asText() + "/copyright"))
                    .isNotEmptyFile();
        });
    }

    @Test
    void nothingInItCanBeChangedByOthersThanRoot() throws IOException {
        try (var files = Files.walk(image.root().directory())) {
            assertThat(files.filter(file -> !Files.isSymbolicLink(file) && !file.endsWith("tmp")))
                    .allSatisfy(file -> assertThat(
                                    (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 022)
                            .isZero());
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }
}
