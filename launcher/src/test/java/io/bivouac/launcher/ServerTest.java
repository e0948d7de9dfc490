package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The life of one data folder, with servers that come and go on it. */
class ServerTest {
    @TempDir
    Path folder;

    @TempDir
    Path outside;

    private HttpClient client = HttpClient.newHttpClient();

    @Test
    void fromTheFirstStartToAKillAndBack() throws Exception {
        String key;
        var withoutBubblewrap = Map.of("BIVOUAC_BUBBLEWRAP_BWRAP", "/no/such/bwrap");
        try (var server = ServerProcess.start(folder, withoutBubblewrap).awaitReady()) {
            assertThat(server.output()).contains("has started, but is not ready");
            assertThat(server.valueOf("Not ready"))
                    .startsWith("the runtime:")
                    .contains("install the package bubblewrap");
            assertThat(get(server, "/ready", "").statusCode()).isEqualTo(503);
            everyOperationIsDescribedOnce(get(server, "/openapi.yml", "").body());
            metricsHaveTheirDocumentedNames(get(server, "/metrics", "").body());
            key = server.valueOf("API key").split(" ")[0];
            assertThat(key).matches("bvk_[a-z0-9]{40}");
            assertThat(Files.readString(folder.resolve("api-key"))).isEqualTo(key + "\n");
            assertThat(permissionsOf("api-key")).isEqualTo("rw-------");
            assertThat(permissionsOf("secret-key")).isEqualTo("rw-------");
            assertThat(permissionsOf("secrets-key")).isEqualTo("rw-------");
            assertThat(server.output()).contains("✓ PostgreSQL 18 on 127.0.0.1:", "✓ Kafka on 127.0.0.1:");
            assertThat(get(server, "/health", key).statusCode()).isEqualTo(200);
            assertThat(get(server, "/api/v1/sandboxes", key).statusCode()).isEqualTo(200);
            assertThat(get(server, "/api/v1/sandboxes", "bvk_wrong").statusCode())
                    .isEqualTo(401);
            assertThat(Files.readString(folder.resolve("logs/server.log"))).startsWith("{");

            aSecondServerIsRefused();

            server.kill();
        }
        ServerProcess.awaitNoChildOf(folder);

        var certificate = TestCertificate.make(outside);
        client = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
        var settings = new HashMap<>(certificate.settings());
        settings.put("BIVOUAC_LOG", "stdout");
        try (var server = ServerProcess.start(folder, settings).awaitReady()) {
            assertThat(server.output())
                    .doesNotContain(key)
                    .contains("is ready (")
                    .contains("\n{\"");
            assertThat(server.valueOf("Console")).startsWith("https://");
            assertThat(get(server, "/api/v1/sandboxes", key).statusCode()).isEqualTo(200);
            theServerRecoversWhenItsChildrenAreKilled(server, key);

            server.terminate();

            assertThat(server.awaitExit()).isEqualTo(143); // 128 + TERM
            assertThat(ServerProcess.childrenOf(folder)).isEmpty();
        }
    }

    private static void everyOperationIsDescribedOnce(String yaml) {
        Map<String, Map<String, Map<String, Map<String, Object>>>> description = new Yaml().load(yaml);
        var names = new ArrayList<String>();
        description
                .get("paths")
                .forEach((path, operations) -> operations.forEach((method, operation) -> {
                    names.add((String) operation.get("operationId"));
                    assertThat(((Map<?, ?>) operation.get("responses")).containsKey("default"))
                            .as(method + " " + path)
                            .isFalse();
                }));
        assertThat(names)
                .doesNotContainNull()
                .doesNotHaveDuplicates()
                .contains("createSandbox", "runCommand", "createPty", "createSession", "createEndpoint");
    }

    private static void metricsHaveTheirDocumentedNames(String metrics) {
        assertThat(metrics.lines().map(line -> line.split("[ {]")[0]))
                .contains(
                        "terminal_sessions_active",
                        "terminal_sessions_total",
                        "terminal_bytes_in",
                        "terminal_bytes_out",
                        "terminal_permission_requests",
                        "terminal_permission_passage_seconds_count");
    }

    private void aSecondServerIsRefused() throws Exception {
        try (var second = ServerProcess.start(folder, Map.of())) {
            assertThat(second.awaitExit()).isEqualTo(1);
            assertThat(second.output())
                    .contains("Another Bivouac server (process ", "uses the data folder " + folder)
                    .hasLineCount(1);
        }
    }

    /** The database and Kafka: others, such as the start's trial of the runtime, come and go by themselves. */
    private void theServerRecoversWhenItsChildrenAreKilled(ServerProcess server, String key) throws Exception {
        var killed = new ArrayList<Long>();
        for (var part : List.of("postgres", "kafka")) {
            var processes = ServerProcess.childrenOf(folder.resolve(part));
            assertThat(processes).as(part).isNotEmpty();
            killed.addAll(processes);
        }
        killed.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        for (var part : List.of("postgres", "kafka")) {
            ServerProcess.await(
                    "another process of " + part,
                    () -> ServerProcess.childrenOf(folder.resolve(part)).stream()
                            .anyMatch(pid -> !killed.contains(pid)));
        }
        ServerProcess.await("the server answers", () -> statusOf(server, "/ready", key) == 200);
    }

    private int statusOf(ServerProcess server, String path, String key) {
        try {
            return get(server, path, key).statusCode();
        } catch (Exception e) {
            return 0;
        }
    }

    private HttpResponse<String> get(ServerProcess server, String path, String key) throws Exception {
        var url = URI.create(server.valueOf("Console") + path);
        return client.send(
                HttpRequest.newBuilder(url)
                        .header("Authorization", "Bearer " + key)
                        .build(),
                BodyHandlers.ofString());
    }

    private String permissionsOf(String file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file)));
    }
}
