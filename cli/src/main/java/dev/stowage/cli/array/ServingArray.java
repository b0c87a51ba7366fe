package dev.stowage.cli.array;

import dev.stowage.array.ArraySettings;
import dev.stowage.array.StorageArray;
import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.misbehave.Misbehaviour;
import dev.stowage.array.rest.RestServer;
import dev.stowage.array.rest.Tls;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.http.HttpAddress;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An array that is the whole process: it runs until a signal tells it to end. */
final class ServingArray {

    private static final Logger log = LoggerFactory.getLogger(ServingArray.class);

    private ServingArray() {}

    private static Optional<Tls> tls(ArrayCommand.Options options) {
        if (options.tlsCertificate().isPresent() != options.tlsKey().isPresent()) {
            throw StowageException.invalid("--tls-certificate and --tls-key are only of use together");
        }
        return options.tlsCertificate().flatMap(certificate -> options.tlsKey().map(key -> new Tls(certificate, key)));
    }

    static void run(ArrayCommand.Options options, CountDownLatch stop) throws InterruptedException {
        var address = HttpAddress.parse(options.listen()).resolve();
        var portals = options.portals().stream().map(Portal::parse).toList();
        var settings = new ArraySettings(
                options.name(),
                options.data(),
                options.token(),
                portals,
                options.files().map(Portal::parse).orElseGet(() -> ArraySettings.files(portals)),
                options.capacity(),
                options.recycles(),
                options.softwareVersion(),
                options.misbehaviour().map(Misbehaviour::of),
                new ArraySettings.Backing(options.dataset(), options.target()));
        var array = StorageArray.open(settings);
        try (var rest = RestServer.start(address, tls(options), array)) {
            log.info(
                    "array {} serves its API on port {} and iSCSI on {}",
                    settings.name(),
                    rest.port(),
                    settings.portals());
            stop.await();
            log.info("array {} ends", settings.name());
        } finally {
            if (options.keepTarget()) {
                array.abandon();
            } else {
                array.close();
            }
        }
    }
}
