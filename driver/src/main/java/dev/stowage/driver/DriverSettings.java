package dev.stowage.driver;

import dev.stowage.core.error.StowageException;
import dev.stowage.driver.call.CallListener;
import dev.stowage.driver.http.HttpAddress;
import dev.stowage.driver.transport.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a driver process is told.
 *
 * @param driverName the name by which clusters know the driver, in the form of a domain name
 * @param http where health and metrics are served
 * @param registrationDirectory where the kubelet looks for plugins
 * @param kubeletCsiSocket the path of the CSI socket as the kubelet sees it, when it is not the same as here
 * @param stopGrace how long calls under way may take when the process ends
 * @param lanePatience how long a call waits for another one on the same object before it is told to come back
 * @param listener is told which call is under way
 */
public record DriverSettings(
        String driverName,
        String vendorVersion,
        Endpoint endpoint,
        Optional<HttpAddress> http,
        Optional<Path> registrationDirectory,
        Optional<String> kubeletCsiSocket,
        Duration stopGrace,
        Duration lanePatience,
        CallListener listener) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

    public DriverSettings {
        if (!NAME.matcher(driverName).matches()) {
            throw StowageException.invalid(
                    "driver name: it must look like a domain name such as local.stowage.dev, of 63 characters at most");
        }
        if (vendorVersion.isEmpty()) {
            throw StowageException.invalid("the version of the driver is missing");
        }
    }

    /** A driver with nothing but its socket. */
    public static DriverSettings of(String driverName, String vendorVersion, Endpoint endpoint) {
        return new DriverSettings(
                driverName,
                vendorVersion,
                endpoint,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(30),
                Duration.ofMillis(500),
                CallListener.NONE);
    }

    public DriverSettings withHttp(HttpAddress address) {
        return new DriverSettings(
                driverName,
                vendorVersion,
                endpoint,
                Optional.of(address),
                registrationDirectory,
                kubeletCsiSocket,
                stopGrace,
                lanePatience,
                listener);
    }

    public DriverSettings withRegistration(Path directory, Optional<String> csiSocketForKubelet) {
        return new DriverSettings(
                driverName,
                vendorVersion,
                endpoint,
                http,
                Optional.of(directory),
                csiSocketForKubelet,
                stopGrace,
                lanePatience,
                listener);
    }

    public DriverSettings withStopGrace(Duration grace) {
        return new DriverSettings(
                driverName,
                vendorVersion,
                endpoint,
                http,
                registrationDirectory,
                kubeletCsiSocket,
                grace,
                lanePatience,
                listener);
    }

    public DriverSettings withLanePatience(Duration patience) {
        return new DriverSettings(
                driverName,
                vendorVersion,
                endpoint,
                http,
                registrationDirectory,
                kubeletCsiSocket,
                stopGrace,
                patience,
                listener);
    }

    public DriverSettings withListener(CallListener callListener) {
        return new DriverSettings(
                driverName,
                vendorVersion,
                endpoint,
                http,
                registrationDirectory,
                kubeletCsiSocket,
                stopGrace,
                lanePatience,
                callListener);
    }
}
