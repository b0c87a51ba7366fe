package dev.stowage.kube;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The key by which the user of a kubeconfig proves who he is. The client has to be told of which kind it is. */
final class ClientKey {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END", Pattern.DOTALL);
    /** As it stands in a key of any kind that is on an elliptic curve. */
    private static final String ON_A_CURVE = "06072a8648ce3d0201";

    private ClientKey() {}

    /** Tells the client the kind of the key, if there is one. */
    static void tellKind(Config config) throws IOException {
        String pem = text(config);
        var key = PEM.matcher(pem);
        if (key.find()) {
            config.setClientKeyAlgo(isOnACurve(key.group(1), key.group(2)) ? "EC" : "RSA");
        }
    }

    private static String text(Config config) throws IOException {
        if (config.getClientKeyData() != null) {
            // The client takes it with and without the coding that kubeconfigs have.
            return config.getClientKeyData().contains("-----")
                    ? config.getClientKeyData()
                    : new String(Base64.getMimeDecoder().decode(config.getClientKeyData()), StandardCharsets.UTF_8);
        }
        return config.getClientKeyFile() == null ? "" : Files.readString(Path.of(config.getClientKeyFile()));
    }

    private static boolean isOnACurve(String label, String content) {
        return switch (label) {
            case "EC PRIVATE KEY" -> true;
            case "PRIVATE KEY" ->
                HexFormat.of()
                        .formatHex(Base64.getMimeDecoder().decode(content))
                        .contains(ON_A_CURVE);
            default -> false;
        };
    }
}
