package dev.stowage.array.rest;

import dev.stowage.core.error.StowageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * What the array proves itself with over HTTPS.
 *
 * @param certificate a PEM file: its own certificate first, then those up to the authority
 * @param key a PEM file with an unencrypted PKCS #8 key
 */
public record Tls(Path certificate, Path key) {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);
    // The store never leaves the process, but one with an empty password is not what every provider takes.
    private static final char[] IN_MEMORY = "in memory".toCharArray();
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    SSLContext context() {
        try {
            var chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)))
                    .toArray(Certificate[]::new);
            var keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("array", privateKey(), IN_MEMORY, chain);
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, IN_MEMORY);
            var context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException failure) {
            throw StowageException.invalid(
                    "certificate %s with key %s: cannot be used: %s", certificate, key, failure.getMessage());
        }
    }

    private PrivateKey privateKey() throws IOException, GeneralSecurityException {
        var match = KEY.matcher(Files.readString(key));
        if (!match.find()) {
            throw new InvalidKeySpecException(
                    "the key file has no PRIVATE KEY in PKCS #8; `openssl pkcs8 -topk8 -nocrypt` makes one");
        }
        var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(match.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException another) {
                // Not of this kind; the file does not say of which it is.
            }
        }
        throw new InvalidKeySpecException("the key is neither EC, RSA nor EdDSA");
    }
}
