package dev.stowage.workbench.image;

import dev.stowage.workbench.WorkbenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The lowest layer: the programs that a node runs, the libraries that they and the Java runtime need, and no more. No shell: none of
 * them calls one (iscsiadm would, to start its daemon through systemd; the setting for that is left out).
 */
final class Tools {
    private static final String LIBRARIES =
            "usr/lib/" + (ImageArchive.ARCHITECTURE.equals("arm64") ? "aarch64" : "x86_64") + "-linux-gnu/";
    private static final Pattern COMMON_LICENCE =
            Pattern.compile("/usr/share/common-licenses/([A-Za-z0-9.+-]*[A-Za-z0-9])");

    /** What is taken, by package. A directory, which ends in a slash, is taken with all that is in it. */
    private static final Map<String, List<String>> WANTED = new TreeMap<>(Map.of(
            "e2fsprogs",
            List.of("usr/sbin/mkfs.ext4", "usr/sbin/resize2fs", "usr/sbin/e2fsck", "etc/mke2fs.conf"),
            "xfsprogs",
            List.of("usr/sbin/mkfs.xfs", "usr/sbin/xfs_growfs"),
            "btrfs-progs",
            List.of("usr/sbin/mkfs.btrfs", "usr/bin/btrfs", "usr/bin/btrfstune"),
            "open-iscsi",
            List.of("usr/sbin/iscsiadm", "usr/sbin/iscsid"),
            "multipath-tools",
            List.of("usr/sbin/multipath", "usr/sbin/multipathd", "usr/lib/multipath/"),
            // For nodes whose kernel has no iSCSI.
            "qemu-system-common",
            List.of("usr/bin/qemu-storage-daemon"),
            "qemu-block-extra",
            List.of(LIBRARIES + "qemu/block-iscsi.so"),
            "libiscsi-bin",
            List.of("usr/bin/iscsi-inq"),
            "util-linux",
            List.of("usr/bin/setsid"),
            // glibc opens it by name when a thread is cancelled, as multipathd does, and ends the program if it is not
            // there.
            "libgcc-s1",
            List.of(LIBRARIES + "libgcc_s.so.1")));

    private record Wish(DebianPackage origin, String library) {}

    private final DebianArchive archive;
    private final Tree tree = new Tree();
    private final Map<String, DebianPackage> used = new TreeMap<>();
    private final Deque<Wish> wishes = new ArrayDeque<>();

    private Tools(DebianArchive archive) {
        this.archive = archive;
    }

    /**
     * @param files the layer
     * @param packages what its files are from
     */
    record Chosen(Tree files, List<DebianPackage> packages) {}

    /** @param runtime a Java runtime, whose programs and libraries need some of the same libraries */
    static Chosen choose(DebianArchive archive, Path runtime) throws IOException {
        var tools = new Tools(archive);
        for (var wanted : WANTED.entrySet()) {
            var origin = archive.open(wanted.getKey());
            for (var name : wanted.getValue()) {
                tools.take(origin, name);
            }
        }
        tools.leaveOutTheStartOfTheDaemon();
        tools.wantLibrariesOf(runtime);
        while (!tools.wishes.isEmpty()) {
            tools.fulfil(tools.wishes.pop());
        }
        tools.addLicences();
        return new Chosen(tools.tree, List.copyOf(tools.used.values()));
    }

    private void take(DebianPackage origin, String name) throws IOException {
        var file = origin.find(name)
                .orElseThrow(
                        () -> new WorkbenchException("the Debian package %s %s has no %s, which belongs into the image"
                                .formatted(origin.name(), origin.version(), name)));
        used.put(origin.name(), origin);
        if (name.endsWith("/")) {
            try (var inside = Files.list(file)) {
                for (var path : inside.sorted().toList()) {
                    take(origin, name + path.getFileName());
                }
            }
        } else if (Files.isSymbolicLink(file)) {
            var target = Files.readSymbolicLink(file);
            tree.link(name, target.toString());
            take(origin, inUsr(Path.of("/" + name).resolveSibling(target).normalize()));
        } else {
            tree.file(name, file, Files.isExecutable(file) ? Tree.EXECUTABLE : Tree.PLAIN);
            var elf = Elf.read(file);
            elf.stream()
                    .flatMap(program -> program.needed().stream())
                    .forEach(need -> wishes.add(new Wish(origin, need)));
            elf.flatMap(Elf::interpreter).ifPresent(loader -> wishes.add(new Wish(origin, loader)));
        }
    }

    private void wantLibrariesOf(Path runtime) throws IOException {
        var libc = archive.open("libc6");
        var own = new TreeSet<String>();
        var needed = new TreeSet<String>();
        try (var files = Files.walk(runtime)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                own.add(file.getFileName().toString());
                Elf.read(file).ifPresent(elf -> {
                    needed.addAll(elf.needed());
                    elf.interpreter().ifPresent(needed::add);
                });
            }
        }
        needed.removeAll(own);
        needed.forEach(need -> wishes.add(new Wish(libc, need)));
    }

    /** A library is in the package itself or in one that the package depends on: Debian's rules want it so. */
    private void fulfil(Wish wish) throws IOException {
        var name = wish.library.startsWith("/") ? inUsr(Path.of(wish.library)) : LIBRARIES + wish.library;
        if (tree.has(name)) {
            return;
        }
        var plugin = "usr/lib/" + wish.library;
        for (var candidate : candidates(wish)) {
            var origin = archive.open(candidate);
            for (var place : List.of(name, plugin)) {
                if (tree.has(place)) {
                    return;
                }
                if (origin.find(place).isPresent()) {
                    take(origin, place);
                    return;
                }
            }
        }
        throw new WorkbenchException("no package that %s %s depends on has the library %s"
                .formatted(wish.origin.name(), wish.origin.version(), wish.library));
    }

    /** The package itself, then what it depends on; what is named like the library comes first, which spares most downloads. */
    private static List<String> candidates(Wish wish) {
        var base = wish.library.substring(wish.library.lastIndexOf('/') + 1);
        var expected = base.replaceFirst("\\.so(\\.|$)", "").toLowerCase(Locale.ROOT);
        var stem = base.substring(0, Math.max(0, base.indexOf(".so")));
        return Stream.concat(
                        Stream.of(wish.origin.name()),
                        Stream.concat(
                                wish.origin.dependencies().stream()
                                        .sorted(Comparator.comparing(
                                                (String dependency) -> rank(dependency, expected, stem))),
                                Stream.of("libc6")))
                .distinct()
                .toList();
    }

    private static int rank(String dependency, String expected, String stem) {
        if (dependency.startsWith(expected)) {
            return 0;
        }
        return dependency.startsWith(stem) ? 1 : dependency.startsWith("lib") ? 2 : 3;
    }

    private static String inUsr(Path path) {
        var name = path.toString().substring(1);
        return name.startsWith("usr/") || name.startsWith("etc/") ? name : "usr/" + name;
    }

    private void leaveOutTheStartOfTheDaemon() throws IOException {
        var origin = archive.open("open-iscsi");
        var settings = Files.readString(origin.find("etc/iscsi/iscsid.conf").orElseThrow());
        tree.text("etc/iscsi/iscsid.conf", settings.replaceAll("(?m)^iscsid\\.startup", "# iscsid.startup"));
    }

    /** What the authors ask for in return: the packages' copyright files, and the licences that these refer to. */
    private void addLicences() throws IOException {
        var licences = new TreeSet<String>();
        for (var origin : List.copyOf(used.values())) {
            var copyright = copyrightOf(origin);
            tree.file("usr/share/doc/" + origin.name() + "/copyright", copyright, Tree.PLAIN);
            COMMON_LICENCE
                    .matcher(Files.readString(copyright, StandardCharsets.ISO_8859_1))
                    .results()
                    .forEach(found -> licences.add(found.group(1)));
        }
        var base = archive.open("base-files");
        for (var licence : licences) {
            var file = base.find("usr/share/common-licenses/" + licence);
            if (file.isPresent()) {
                take(base, "usr/share/common-licenses/" + licence);
            }
        }
        tree.file("usr/share/doc/base-files/copyright", copyrightOf(base), Tree.PLAIN);
    }

    /** Packages of one source may share their documentation: then the directory is a link to that of another package. */
    private Path copyrightOf(DebianPackage origin) throws IOException {
        var directory = origin.files().resolve("usr/share/doc/" + origin.name());
        if (Files.isSymbolicLink(directory)) {
            return copyrightOf(
                    archive.open(Files.readSymbolicLink(directory).getFileName().toString()));
        }
        var file = directory.resolve("copyright");
        return Optional.of(file)
                .filter(Files::isRegularFile)
                .orElseThrow(() -> new WorkbenchException(
                        "the Debian package %s %s has no copyright file".formatted(origin.name(), origin.version())));
    }
}
