package io.bivouac.webhooks.sending;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.bivouac.foundation.fixture.Names;
import io.bivouac.webhooks.endpoint.EndpointNetwork;
import io.bivouac.webhooks.sending.Answer.Answered;
import io.bivouac.webhooks.sending.Answer.NoAnswer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncryptedConnectionTest {
    private static final String PASSWORD = "changeit";
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";

    @TempDir
    Path folder;

    private final SendingLoops loops = new SendingLoops();
    private final EndpointNetwork network = new EndpointNetwork("127.0.0.1/32", new SimpleMeterRegistry());
    private Path certificate;
    private HttpsServer receiver;

    @BeforeEach
    void start() throws Exception {
        certificate = folder.resolve("receiver.p12");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        "receiver",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=receiver",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        certificate.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        receiver = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        receiver.setHttpsConfigurator(new HttpsConfigurator(serverSide()));
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        System.clearProperty(TRUST_STORE);
        receiver.stop(0);
        loops.close();
        network.close();
    }

    @Test
    void aTrustedCertificateForTheNameIsNeeded() throws Exception {
        assertThat(post("127.0.0.1"))
                .isInstanceOfSatisfying(
                        NoAnswer.class, none -> assertThat(none.reason()).containsIgnoringCase("certificat"));
        System.setProperty(TRUST_STORE, certificate.toString());
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
        assertThat(post("127.0.0.1"))
                .isInstanceOfSatisfying(
                        Answered.class, answer -> assertThat(answer.status()).isEqualTo(204));
        Names.set("another.example", "127.0.0.1");
        assertThat(post("another.example"))
                .isInstanceOfSatisfying(
                        NoAnswer.class, none -> assertThat(none.reason()).contains("another.example"));
    }

    private Answer post(String host) throws Exception {
        var loop = loops.next();
        var url = URI.create("https://" + host + ":" + receiver.getAddress().getPort() + "/");
        var connections = new Connections(url, "prj_test", loop, new Dialer(network), Duration.ofSeconds(20));
        var answer = new CompletableFuture<Answer>();
        loop.execute(() -> connections.post(new Message(Map.of(), new byte[] {'{', '}'}), answer::complete));
        return answer.get(60, TimeUnit.SECONDS);
    }

    private SSLContext serverSide() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        try (var file = Files.newInputStream(certificate)) {
            store.load(file, PASSWORD.toCharArray());
        }
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
