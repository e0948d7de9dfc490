package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The life of a real sandbox as a subscriber hears it, also when the server is killed in between. */
class SandboxWebhooksTest {
    private static final Pattern TYPE = Pattern.compile("\"type\":\"([^\"]+)\"");
    private static final String ENDPOINTS = "/api/v1/webhooks/endpoints";

    private final List<String> received = new CopyOnWriteArrayList<>();

    @Test
    void everyChangeOfASandboxArrivesAlsoAcrossAKill() throws Exception {
        var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try (var site = CrashSite.open(Map.of("BIVOUAC_WEBHOOK_ALLOW", "127.0.0.0/8"))) {
            var url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
            Api.expect(201, site.api().send("POST", ENDPOINTS, "{\"url\":\"" + url + "\"}"));
            var id = site.api().created();
            site.kill();
            site.start();
            ServerProcess.await("the sandbox runs", () -> isRunning(site, id));
            Api.expect(204, site.api().delete(id));
            ServerProcess.await("the end was heard", () -> types(id).contains("sandbox.deleted"));
            assertThat(types(id)).contains("sandbox.created", "sandbox.starting", "agent.connected", "sandbox.running");
        } finally {
            receiver.stop(0);
        }
    }

    private static boolean isRunning(CrashSite site, String id) {
        try {
            return "running".equals(site.api().sandboxes().get(id).get("state"));
        } catch (Exception notYet) {
            return false;
        }
    }

    private List<String> types(String sandbox) {
        return received.stream()
                .filter(event -> event.contains("\"subject\":\"" + sandbox + "\""))
                .map(event -> {
                    var type = TYPE.matcher(event);
                    return type.find() ? type.group(1) : "";
                })
                .toList();
    }
}
