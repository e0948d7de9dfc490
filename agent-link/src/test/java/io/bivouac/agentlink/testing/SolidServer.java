package io.bivouac.agentlink.testing;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/** A real Community Solid Server with Pods of alice and bob, one for all tests of a run; it ends with the JVM. */
public final class SolidServer {
    private static final String PASSWORD = "correct-horse";
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = ObjectMapper.getDefault();
    private static SolidServer shared;

    private final String base;
    private final Path data;

    private SolidServer(String base, Path data) {
        this.base = base;
        this.data = data;
    }

    /** What a program logs in with. */
    public record Credentials(String id, String secret) {}

    public static synchronized SolidServer shared() throws IOException, InterruptedException {
        if (shared == null) {
            shared = start();
        }
        return shared;
    }

    private static SolidServer start() throws IOException, InterruptedException {
        var data = Files.createTempDirectory("solid-server");
        var seed = Files.writeString(data.resolve("seed.json"), """
                [{"email": "alice@example.org", "password": "%s", "pods": [{"name": "alice"}]},
                 {"email": "bob@example.org", "password": "%s", "pods": [{"name": "bob"}]}]""".formatted(PASSWORD, PASSWORD));
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var pods = Files.createDirectory(data.resolve("pods"));
        var log = data.resolve("server.log");
        var base = "http://localhost:" + port + "/";
        var process = new ProcessBuilder(
                        "node",
                        SolidLibraries.folder()
                                .resolve("node_modules/@solid/community-server/bin/server.js")
                                .toString(),
                        "-c",
                        "@css:config/file.json",
                        "-p",
                        Integer.toString(port),
                        "-b",
                        base,
                        "-f",
                        pods.toString(),
                        "-l",
                        "warn",
                        "--seedConfig",
                        seed.toString())
                .directory(SolidLibraries.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        var server = new SolidServer(base, pods);
        Wait.until(
                () -> !process.isAlive() || server.answers("alice/profile/card") && server.answers("bob/profile/card"),
                () -> log(log));
        if (!process.isAlive()) {
            throw new AssertionError("the Solid server ended:\n" + log(log));
        }
        return server;
    }

    private static String log(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private boolean answers(String path) {
        try {
            return send(HttpRequest.newBuilder(URI.create(base + path))).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    public String base() {
        return base;
    }

    public String pod(String name) {
        return base + name + "/";
    }

    public String webId(String name) {
        return pod(name) + "profile/card#me";
    }

    /** Where a Pod's files are. */
    public Path folder(String name) {
        return data.resolve(name);
    }

    /** What this server lets its Pods' owners make for their programs. */
    public Credentials credentials(String name) throws IOException {
        var login = post(
                base + ".account/login/password/", Map.of("email", name + "@example.org", "password", PASSWORD), null);
        var account = "CSS-Account-Token " + login.get("authorization").getStringValue();
        var controls = json(HttpRequest.newBuilder(URI.create(base + ".account/"))
                .header("Accept", "application/json")
                .header("Authorization", account));
        var address =
                controls.get("controls").get("account").get("clientCredentials").getStringValue();
        var made = post(address, Map.of("name", "test", "webId", webId(name)), account);
        return new Credentials(
                made.get("id").getStringValue(), made.get("secret").getStringValue());
    }

    /** An access token of this server, bound to the key. */
    public String token(Credentials credentials, DpopKey key) throws IOException {
        var address = json(HttpRequest.newBuilder(URI.create(base + ".well-known/openid-configuration")))
                .get("token_endpoint")
                .getStringValue();
        var basic = Base64.getEncoder()
                .encodeToString((credentials.id() + ":" + credentials.secret()).getBytes(StandardCharsets.UTF_8));
        return json(HttpRequest.newBuilder(URI.create(address))
                        .header("Authorization", "Basic " + basic)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("DPoP", key.proof("POST", address, null))
                        .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials&scope=webid")))
                .get("access_token")
                .getStringValue();
    }

    private static JsonNode post(String address, Map<String, String> body, String authorization) throws IOException {
        var request = HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
        return json(authorization == null ? request : request.header("Authorization", authorization));
    }

    private static JsonNode json(HttpRequest.Builder request) throws IOException {
        var answer = send(request);
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(answer + ": " + answer.body());
        }
        return JSON.readValue(answer.body(), JsonNode.class);
    }

    private static java.net.http.HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
