package dev.stowage.arrayapi;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Which certificates of arrays are trusted. */
public final class ArrayTrust {

    private ArrayTrust() {}

    /**
     * What connections to arrays are made with.
     *
     * @param extra certificates in PEM to be trusted beside those that the Java runtime trusts: a file, or a directory of such files, as
     *     a mounted Secret is
     */
    public static SSLContext verifying(Optional<Path> extra) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (var trusted : usual()) {
                store.setCertificateEntry("usual-" + number++, trusted);
            }
            if (extra.isPresent()) {
                for (var trusted : read(extra.get())) {
                    store.setCertificateEntry("extra-" + number++, trusted);
                }
            }
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            return context(managers.getTrustManagers());
        } catch (GeneralSecurityException | IOException failed) {
            throw StowageException.internal(failed, "cannot prepare to verify the certificates of arrays: %s", failed);
        }
    }

    /** Takes any certificate: whoever is between us and the array can read along. Only where a user asked for it. */
    public static SSLContext unverified() {
        try {
            return context(new TrustManager[] {new Anyone()});
        } catch (GeneralSecurityException failed) {
            throw StowageException.internal(failed, "cannot prepare connections to arrays: %s", failed);
        }
    }

    private static SSLContext context(TrustManager[] managers) throws GeneralSecurityException {
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers, null);
        return context;
    }

    private static List<X509Certificate> usual() throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        var found = new ArrayList<X509Certificate>();
        for (var manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager trusting) {
                found.addAll(List.of(trusting.getAcceptedIssuers()));
            }
        }
        return found;
    }

    static List<X509Certificate> read(Path place) {
        if (!Files.isDirectory(place)) {
            return certificates(place);
        }
        try (var entries = Files.list(place)) {
            var files = entries.filter(
                            entry -> !entry.getFileName().toString().startsWith(".") && Files.isRegularFile(entry))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw StowageException.notPossible("%s: there is no file with trusted certificates in it", place);
            }
            return files.stream().flatMap(file -> certificates(file).stream()).toList();
        } catch (IOException unusable) {
            throw StowageException.notPossible(
                    "%s: the trusted certificates cannot be read: %s", place, unusable.getMessage());
        }
    }

    private static List<X509Certificate> certificates(Path file) {
        try (var stream = Files.newInputStream(file)) {
            var certificates = CertificateFactory.getInstance("X.509").generateCertificates(stream).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (certificates.isEmpty()) {
                throw StowageException.notPossible("%s: there is no certificate in it", file);
            }
            return certificates;
        } catch (IOException | CertificateException unusable) {
            throw StowageException.notPossible(
                    "%s: the trusted certificates cannot be read: %s; expected PEM", file, unusable.getMessage());
        }
    }

    /** An extended one, because the JDK checks host names for the others. */
    private static final class Anyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {
            // anyone will do
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {
            // anyone will do
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {
            // anyone will do
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {
            // anyone will do
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // anyone will do
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // anyone will do
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
