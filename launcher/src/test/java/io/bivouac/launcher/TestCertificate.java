package io.bivouac.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate of this machine's own, as an operator would give it, and clients that trust it. */
record TestCertificate(Path certificate, Path key, SSLContext trusting) {
    private static final String PASSWORD = "password";

    static TestCertificate make(Path folder) throws Exception {
        var file = folder.resolve("test.p12");
        var made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.out").toFile())
                .start()
                .waitFor();
        if (made != 0) {
            throw new AssertionError(Files.readString(folder.resolve("keytool.out")));
        }
        var store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return new TestCertificate(
                pem(
                        folder.resolve("cert.pem"),
                        "CERTIFICATE",
                        store.getCertificate("server").getEncoded()),
                pem(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        store.getKey("server", PASSWORD.toCharArray()).getEncoded()),
                context);
    }

    Map<String, String> settings() {
        return Map.of("BIVOUAC_TLS_CERT", certificate.toString(), "BIVOUAC_TLS_KEY", key.toString());
    }

    private static Path pem(Path file, String what, byte[] content) throws java.io.IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, text, what));
    }
}
