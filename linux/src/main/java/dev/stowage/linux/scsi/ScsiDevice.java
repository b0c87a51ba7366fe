package dev.stowage.linux.scsi;

import dev.stowage.linux.effect.Effects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A disk as the kernel's SCSI layer has it.
 *
 * @param directory its place in sysfs, whose name is {@code host:channel:target:unit}
 */
public record ScsiDevice(Path directory) {

    /** The number of the unit. */
    public int lun() {
        var name = String.valueOf(directory.getFileName());
        return Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
    }

    /** The kernel's name of the disk, such as {@code sda}; absent while it comes or goes. */
    public Optional<String> name() {
        return only(directory.resolve("block"));
    }

    /** The node of the disk. */
    public Optional<Path> node() {
        return name().map(name -> Path.of("/dev", name));
    }

    /** The serial number that it told when it was found. Asking this waits for nobody. */
    public Optional<String> knownSerial() {
        try {
            return Optional.of(Inquiry.text(Files.readAllBytes(directory.resolve("vpd_pg80"))));
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** The multipath device that has it, such as {@code dm-0}. */
    public Optional<String> holder() {
        return name().flatMap(
                        name -> only(directory.resolve("block").resolve(name).resolve("holders")));
    }

    /** Makes the kernel ask anew how large it is. */
    public void rescan() {
        write("rescan-device", directory.resolve("rescan"), "1");
    }

    /** Makes the kernel forget it. One that is gone is fine. */
    public void delete() {
        write("delete-device", directory.resolve("delete"), "1");
    }

    /** Makes the kernel look for one unit behind a host, and for no other. */
    public static void scan(String host, int lun) {
        write("scan-host", Path.of("/sys/class/scsi_host", host, "scan"), "0 0 " + lun);
    }

    private static void write(String kind, Path file, String value) {
        Effects.run(kind, file.toString(), () -> {
            try {
                Files.writeString(file, value);
            } catch (NoSuchFileException gone) {
                // It went by itself meanwhile.
            } catch (IOException failure) {
                if (Files.exists(file)) {
                    throw new UncheckedIOException("cannot write " + value + " to " + file, failure);
                }
            }
        });
    }

    private static Optional<String> only(Path directory) {
        return names(directory).stream().findFirst();
    }

    /** What is in a directory of sysfs; nothing, if that is gone. */
    public static List<String> names(Path directory) {
        try (var list = Files.list(directory)) {
            return list.map(ScsiDevice::name).sorted().toList();
        } catch (IOException | UncheckedIOException gone) {
            return List.of();
        }
    }

    private static String name(@Nullable Path path) {
        return path == null ? "" : String.valueOf(path.getFileName());
    }
}
