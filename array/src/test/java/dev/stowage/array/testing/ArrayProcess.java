package dev.stowage.array.testing;

import dev.stowage.array.ArraySettings;
import dev.stowage.array.StorageArray;
import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.rest.RestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** An array in a process of its own, which can be killed. It ends in order when its input does. */
public final class ArrayProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    public ArrayProcess(Path data, Portal portal) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ArrayProcess.class.getName(),
                        data.toString(),
                        portal.toString(),
                        ArrayUnderTest.freePortal().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            throw new IOException("the array did not start");
        }
        port = Integer.parseInt(line);
    }

    public int port() {
        return port;
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it in order, and its target. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("the array ended with exit code " + process.exitValue());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws IOException {
        var settings = new ArraySettings(
                "array",
                Path.of(arguments[0]),
                ArrayUnderTest.TOKEN,
                List.of(Portal.parse(arguments[1])),
                Portal.parse(arguments[2]),
                OptionalLong.empty(),
                false,
                "24.03",
                Optional.empty());
        try (var array = StorageArray.open(settings);
                var rest = RestServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), array)) {
            System.out.println(rest.port());
            while (System.in.read() >= 0) {
                // until the end
            }
        }
    }
}
