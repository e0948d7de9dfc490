package io.bivouac.launcher;

import java.io.ByteArrayOutputStream;
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
import java.util.Map;
import java.util.regex.Pattern;

/** The operator's PEM files as the key store that Micronaut reads; it exists in memory only. */
final class TlsProperties {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private TlsProperties() {}

    static Map<String, Object> of(LauncherSettings settings, ListenAddress address) {
        var password = Secrets.secretKey();
        var store = keyStore(settings.tlsCert().orElseThrow(), settings.tlsKey().orElseThrow(), password);
        return Map.of(
                "micronaut.server.ssl.enabled",
                true,
                "micronaut.server.ssl.port",
                address.port(),
                "micronaut.server.ssl.build-self-signed",
                false,
                "micronaut.server.ssl.key-store.path",
                "base64:" + Base64.getEncoder().encodeToString(store),
                "micronaut.server.ssl.key-store.type",
                "PKCS12",
                "micronaut.server.ssl.key-store.password",
                password);
    }

    private static byte[] keyStore(Path certFile, Path keyFile, String password) {
        try (var certificates = Files.newInputStream(certFile)) {
            var chain = CertificateFactory.getInstance("X.509").generateCertificates(certificates);
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", privateKey(keyFile), password.toCharArray(), chain.toArray(Certificate[]::new));
            var bytes = new ByteArrayOutputStream();
            store.store(bytes, password.toCharArray());
            return bytes.toByteArray();
        } catch (IOException | GeneralSecurityException e) {
            throw new StartRefused("BIVOUAC_TLS_CERT and _KEY cannot be used: " + e.getMessage(), e);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        var pem = KEY.matcher(Files.readString(file));
        if (!pem.find()) {
            throw new StartRefused(
                    "BIVOUAC_TLS_KEY: %s holds no PKCS #8 key. Convert it: openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW"
                            .formatted(file));
        }
        var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // The encoding names its algorithm; each factory takes only its own.
            }
        }
        throw new StartRefused("BIVOUAC_TLS_KEY: %s is neither an EC nor an RSA nor an Ed25519 key.".formatted(file));
    }
}
