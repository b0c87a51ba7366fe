package dev.stowage.cli.array;

import dev.stowage.array.iscsi.TargetKind;
import dev.stowage.cli.UntilStopped;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the options. What is the array's own is only loaded by {@link ServingArray}, because its jar is there for this role alone. */
@Command(
        name = "array",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "A storage array on this machine: volumes in a directory, served over iSCSI, managed over REST.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or SIGINT",
            "1:could not start or go on; the last line on stderr says why",
            "2:wrong usage",
            "3:the machine lacks something; the message says what"
        })
public final class ArrayCommand implements Callable<Integer> {

    enum OnStop {
        end,
        keep
    }

    @Option(
            names = "--listen",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Where the API is served; port 0 takes any that is free.")
    private String listen = "";

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "Where everything is kept. On XFS or Btrfs snapshots share blocks with their volume.")
    private Path data = Path.of("");

    @Option(
            names = "--token-file",
            required = true,
            paramLabel = "FILE",
            description = "Holds the access key that callers have to present.")
    private Path tokenFile = Path.of("");

    @Option(
            names = "--portal",
            paramLabel = "ADDRESS:PORT",
            description = "Where initiators connect, default 127.0.0.1:3260. Can be given several times.")
    private List<String> portals = new ArrayList<>();

    @Option(
            names = "--nfs",
            paramLabel = "ADDRESS:PORT",
            description = "Where NFS clients connect, default the first portal's address and port 2049.")
    private @Nullable String files;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "array",
            description = "Part of the names of its iSCSI targets, default array.")
    private String name = "array";

    @Option(
            names = "--capacity",
            paramLabel = "SIZE",
            description = "What volumes and snapshots may take, default all of the filesystem.")
    private @Nullable String capacity;

    @Option(
            names = "--zfs",
            paramLabel = "DATASET",
            description =
                    "Keep the volumes in this ZFS dataset, instead of in files below --data. It has to be there, and mounted.")
    private @Nullable String dataset;

    @Option(
            names = "--target",
            paramLabel = "KIND",
            defaultValue = "auto",
            description =
                    "lio: the kernel serves iSCSI. tgt: a process does. auto: the kernel if it can. Default auto.")
    private TargetKind target = TargetKind.auto;

    @Option(
            names = "--no-recycle-bin",
            description = "Delete volumes for good, instead of into the pool's recycle bin.")
    private boolean withoutRecycleBin;

    @Option(
            names = "--software-version",
            paramLabel = "VERSION",
            defaultValue = "24.03",
            description = "What it tells clients that ask for some version at least, default 24.03.")
    private String softwareVersion = "24.03";

    @Option(
            names = "--on-stop",
            paramLabel = "WHAT",
            defaultValue = "end",
            description =
                    "end: initiators are disconnected. keep: they go on, and the next start takes the target over. Default end.")
    private OnStop onStop = OnStop.end;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "Serve the API over HTTPS with this certificate chain, in PEM.")
    private @Nullable Path tlsCertificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The certificate's key, in PEM, PKCS #8.")
    private @Nullable Path tlsKey;

    @Option(
            names = "--misbehave",
            paramLabel = "RULES",
            description = {
                "For tests of clients: go wrong on purpose, by rules that are apart by semicolons. Each is",
                "KIND [VALUE] [on METHOD PATH] [at N%%] [times N], where KIND is delay, fail, http, drop, drop-after, lie, later,"
                        + " throttle or full. Given, even if empty, PUT /misbehave replaces the rules."
            })
    private @Nullable String misbehave;

    @Mixin
    private UntilStopped running = new UntilStopped();

    @Override
    public Integer call() throws InterruptedException {
        return running.run(stop -> ServingArray.run(options(), stop));
    }

    private Options options() {
        return new Options(
                listen,
                data.toAbsolutePath().normalize(),
                token(),
                portals.isEmpty() ? List.of("127.0.0.1:3260") : portals,
                Optional.ofNullable(files),
                name,
                capacity == null ? OptionalLong.empty() : OptionalLong.of(Sizes.parse("--capacity", capacity)),
                !withoutRecycleBin,
                softwareVersion,
                onStop == OnStop.keep,
                Optional.ofNullable(tlsCertificate),
                Optional.ofNullable(tlsKey),
                Optional.ofNullable(misbehave),
                Optional.ofNullable(dataset),
                target);
    }

    /** The options as they were read. */
    record Options(
            String listen,
            Path data,
            String token,
            List<String> portals,
            Optional<String> files,
            String name,
            OptionalLong capacity,
            boolean recycles,
            String softwareVersion,
            boolean keepTarget,
            Optional<Path> tlsCertificate,
            Optional<Path> tlsKey,
            Optional<String> misbehaviour,
            Optional<String> dataset,
            TargetKind target) {}

    private String token() {
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException failure) {
            throw StowageException.invalid("--token-file %s: cannot be read: %s", tokenFile, failure);
        }
    }
}
