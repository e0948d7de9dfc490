package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.DpopKey;
import io.bivouac.agentlink.testing.Guest;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.SolidLibraries;
import io.bivouac.agentlink.testing.SolidServer;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** WebIDs and ACLs of a real Solid server, terminals of a real agent. */
class GuestSessionTest {
    private static final String SESSIONS = "/-/terminal/sessions";
    private static final String PREFIXES = """
            @prefix acl: <http://www.w3.org/ns/auth/acl#> .
            @prefix udf: <https://undefineds.co/ns/> .
            """;

    private static SolidServer solid;
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;
    private static SandboxId bobs;
    private static RealAgent bobsAgent;
    private static Guest alice;
    private static Guest bob;

    @BeforeAll
    static void start() throws Exception {
        solid = SolidServer.shared();
        relay = TestRelay.start(settings());
        id = relay.sandbox(Map.of("pod", solid.pod("alice")));
        agent = relay.agent(id);
        bobs = relay.sandbox(Map.of("pod", solid.pod("alice"), "guest", solid.webId("bob")));
        bobsAgent = relay.agent(bobs);
        alice = guest("alice");
        bob = guest("bob");
    }

    private static Map<String, Object> settings() {
        var settings = new HashMap<String, Object>();
        settings.put("bivouac.solid-allow", "127.0.0.0/8,::1");
        settings.put("bivouac.pods", List.of(solid.pod("alice") + "=" + solid.folder("alice")));
        settings.put("bivouac.pod.ask-every", "200ms");
        settings.put("bivouac.pod.unreadable", "1s");
        settings.put("bivouac.terminal.look-every", "200ms");
        settings.put("bivouac.terminal.kill-after", "500ms");
        settings.put("bivouac.terminal.per-user", 100);
        settings.put("bivouac.origins", "https://console.example");
        return settings;
    }

    private static Guest guest(String name) throws IOException {
        var key = DpopKey.next();
        return new Guest(relay.http().base(), solid.token(solid.credentials(name), key), key);
    }

    @AfterAll
    static void stop() {
        agent.close();
        bobsAgent.close();
        relay.close();
    }

    /** The next test finds the Pod as the Solid server made it. */
    @AfterEach
    void clear() throws IOException {
        Files.deleteIfExists(solid.folder("alice").resolve(".terminal/.acl"));
        Files.deleteIfExists(solid.folder("alice").resolve("tmp/.acl"));
        Files.deleteIfExists(solid.folder("alice").resolve("friends.ttl"));
    }

    private static void acl(String container, String rules) throws IOException {
        var folder = Files.createDirectories(solid.folder("alice").resolve(container));
        Files.writeString(folder.resolve(".acl"), PREFIXES + rules);
    }

    /** Bob may have a terminal that works in /tmp. */
    private static void letBobIn(String limits) throws IOException {
        acl(".terminal", """
                <#bob> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <./> ; acl:mode acl:Read, acl:Write %s .
                """.formatted(
                        solid.webId("bob"), limits.isEmpty() ? "" : "; udf:terminalPermissions [ " + limits + " ]"));
        acl("tmp", """
                <#bob> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <./> ; acl:default <./> ; acl:mode acl:Read .
                """.formatted(solid.webId("bob")));
    }

    private static Map<String, Object> request(Object... more) {
        var request = new HashMap<String, Object>(Map.of("sandboxId", id.value(), "command", "cat", "workdir", "/tmp"));
        for (int i = 0; i < more.length; i += 2) {
            request.put((String) more[i], more[i + 1]);
        }
        return request;
    }

    private static String opened(Guest guest, Object... more) throws IOException {
        var made = guest.post(SESSIONS, request(more));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.text("sessionId");
    }

    private static void refused(Http.Answer answer, int status, String name, String why) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.text("name")).isEqualTo(name);
        assertThat(answer.text("detail")).contains(why);
    }

    @Test
    void anOwnerOpensATerminalUsesItByTicketAndEndsIt() throws IOException {
        var made = alice.post(SESSIONS, request());
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(made.text("userId")).isEqualTo(solid.webId("alice"));
        var session = made.text("sessionId");
        var ticket = made.body().get("protocols").get(1).getStringValue();
        try (var socket = Socket.open(made.text("wsUrl"), Map.of(), "bivouac.json", ticket)) {
            socket.send("{\"type\":\"input\",\"data\":\"hej\\r\"}").awaitText(seen -> seen.equals("hej\r\nhej\r\n"));
            assertThat(alice.get(SESSIONS + "/" + session).text("status")).isEqualTo("active");
            assertThat(alice.get(SESSIONS + "?limit=100").body().get("items").size())
                    .isPositive();
            assertThat(alice.delete(SESSIONS + "/" + session).status()).isEqualTo(204);
            socket.awaitMessage("exit");
        }
        var again = alice.post(SESSIONS + "/" + session + "/ticket", Map.of());
        Wait.until(() -> status(alice, session).equals("terminated"));
        assertThat(again.status()).isIn(200, 410);
    }

    private static String status(Guest guest, String session) {
        try {
            return guest.get(SESSIONS + "/" + session).text("status");
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    @Test
    void whoeverTheAclDoesNotNameGetsNoTerminal() throws IOException {
        refused(bob.post(SESSIONS, request()), 403, "FORBIDDEN", "no terminal");
        letBobIn("");
        opened(bob);
        var acts = relay.bean(Audit.class)
                .list(relay.caller().project(), Long.MAX_VALUE, 50)
                .items();
        assertThat(acts).anySatisfy(row -> {
            assertThat(row.action()).isEqualTo("session.refused");
            assertThat(row.actor()).isEqualTo(solid.webId("bob"));
            assertThat(row.subject()).isEqualTo(solid.pod("alice"));
        });
        // The container has an ACL of its own now, so the Pod's says nothing about it: not even for alice.
        refused(alice.post(SESSIONS, request()), 403, "FORBIDDEN", "no terminal");
    }

    @Test
    void readingTheTerminalIsNotEnoughNorIsATerminalWithoutItsWorkdir() throws IOException {
        acl(
                ".terminal",
                "<#bob> a acl:Authorization ; acl:agent <" + solid.webId("bob")
                        + "> ; acl:accessTo <./> ; acl:mode acl:Read, acl:Control .");
        refused(bob.post(SESSIONS, request()), 403, "FORBIDDEN", "no terminal");
        letBobIn("");
        refused(bob.post(SESSIONS, request("workdir", "/etc")), 403, "FORBIDDEN", "read /etc/");
        refused(bob.post(SESSIONS, request("workdir", "/tmp/../etc")), 400, "INVALID_REQUEST", "workdir");
    }

    @Test
    void aMemberOfAGroupMay() throws IOException {
        letBobIn("");
        Files.writeString(solid.folder("alice").resolve("friends.ttl"), """
                <#all> <http://www.w3.org/2006/vcard/ns#hasMember> <%s> .""".formatted(solid.webId("bob")));
        acl(".terminal", """
                <#friends> a acl:Authorization ; acl:agentGroup <../friends.ttl#all> ; acl:accessTo <./> ;
                    acl:mode acl:Write .""");
        opened(bob);
        Files.delete(solid.folder("alice").resolve("friends.ttl"));
        refused(bob.post(SESSIONS, request()), 403, "FORBIDDEN", "no terminal");
    }

    @Test
    void limitsNarrowWhatARuleGrants() throws IOException {
        letBobIn("udf:allowedWorkdirs \"/alice/tmp/\" ; udf:allowedCommands \"cat\" ; udf:maxSessionDuration 60");
        var made = bob.post(SESSIONS, request());
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(Duration.between(time(made, "createdAt"), time(made, "expiresAt")))
                .isEqualTo(Duration.ofSeconds(60));
        var permissions = made.body().get("permissions");
        assertThat(permissions.get("workdirs").get(0).getStringValue()).isEqualTo("/tmp/");
        assertThat(permissions.get("maxDuration").getIntValue()).isEqualTo(60);
        var session = SESSIONS + "/" + made.text("sessionId");
        assertThat(bob.get(session).body().get("permissions")).isEqualTo(permissions);
        assertThat(bob.get(SESSIONS).body().get("items").get(0).get("permissions"))
                .isEqualTo(permissions);
        opened(bob, "timeout", 60);
        refused(bob.post(SESSIONS, request("timeout", 61)), 403, "FORBIDDEN", "at most 60 s");
        refused(bob.post(SESSIONS, request("command", "sh")), 403, "FORBIDDEN", "the command sh");
        refused(bob.post(SESSIONS, request("command", "/tmp/cat")), 403, "FORBIDDEN", "the command /tmp/cat");
        refused(bob.post(SESSIONS, request("env", Map.of("LD_PRELOAD", "x"))), 403, "FORBIDDEN", "LD_PRELOAD");
        refused(bob.post(SESSIONS, request("workdir", "/")), 403, "FORBIDDEN", "the workdir /");
        letBobIn("udf:whatever 1");
        refused(bob.post(SESSIONS, request()), 403, "FORBIDDEN", "not understood");
    }

    private static Instant time(Http.Answer answer, String field) {
        return Instant.parse(answer.text(field));
    }

    @Test
    void aWithdrawnRightEndsTheSessionAndAShorterOneCutsIt() throws IOException {
        letBobIn("");
        var made = bob.post(SESSIONS, request());
        var session = made.text("sessionId");
        var ticket = made.body().get("protocols").get(1).getStringValue();
        try (var socket = Socket.open(made.text("wsUrl"), Map.of(), "bivouac.json", ticket)) {
            letBobIn("udf:maxSessionDuration 1000");
            var cut = time(bob.get(SESSIONS + "/" + session), "createdAt").plusSeconds(1000);
            Wait.until(
                    () -> expiresAt(session).equals(cut),
                    () -> expiresAt(session).toString());
            var permissions = bob.get(SESSIONS + "/" + session).body().get("permissions");
            assertThat(permissions.get("maxDuration").getIntValue()).isEqualTo(1000);
            acl(".terminal", "");
            assertThat(socket.awaitMessage("error").get("code").getStringValue())
                    .isEqualTo("FORBIDDEN");
            socket.awaitMessage("exit");
            socket.awaitClose();
        }
        assertThat(bob.get(SESSIONS + "/" + session).text("endReason")).isEqualTo("revoked");
        var acts = relay.bean(Audit.class)
                .list(relay.caller().project(), Long.MAX_VALUE, 50)
                .items();
        assertThat(acts).anySatisfy(row -> {
            assertThat(row.action()).isEqualTo("terminal.revoked");
            assertThat(row.subject()).isEqualTo(session);
        });
    }

    private static Instant expiresAt(String session) {
        try {
            return time(bob.get(SESSIONS + "/" + session), "expiresAt");
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    @Test
    void anAclThatCannotBeReadIsNoAcl() throws IOException {
        letBobIn("");
        var session = opened(bob);
        acl(".terminal", "this is no turtle");
        Wait.until(() -> status(bob, session).equals("terminated"));
        refused(bob.post(SESSIONS, request()), 403, "FORBIDDEN", "no terminal");
        var acl = solid.folder("alice").resolve(".terminal/.acl");
        Files.delete(acl);
        Files.createSymbolicLink(acl, java.nio.file.Path.of("/etc/hostname"));
        refused(bob.post(SESSIONS, request()), 503, "UNAVAILABLE", "leads out of the Pod");
    }

    @Test
    void guestsSeeTheirOwnSessionsAndNothingElse() throws IOException {
        var hers = opened(alice);
        refused(bob.get(SESSIONS + "/" + hers), 404, "SESSION_NOT_FOUND", "no such");
        refused(bob.delete(SESSIONS + "/" + hers), 404, "SESSION_NOT_FOUND", "no such");
        refused(bob.post(SESSIONS + "/" + hers + "/ticket", Map.of()), 404, "SESSION_NOT_FOUND", "no such");
        letBobIn("");
        opened(bob);
        for (var item : bob.get(SESSIONS + "?limit=100").body().get("items").values()) {
            assertThat(item.get("userId").getStringValue()).isEqualTo(solid.webId("bob"));
        }
        refused(alice.post("/api/v1/sandboxes/" + id + "/pty", Map.of()), 401, "UNAUTHORIZED", "sessions only");
        var unlabelled = relay.sandbox();
        refused(bob.post(SESSIONS, request("sandboxId", unlabelled.value())), 404, "SANDBOX_NOT_FOUND", "no sandbox");
        refused(bob.post(SESSIONS, request("pod", "https://elsewhere.example/")), 403, "FORBIDDEN", "not serve");
    }

    @Test
    void aStrangePageMayNotUseAGuestsLogin() throws IOException {
        var body = "{\"sandboxId\":\"" + id + "\",\"command\":\"cat\",\"workdir\":\"/tmp\"}";
        var strange = alice.send("POST", SESSIONS, body, "Origin", "https://evil.example");
        assertThat(strange.statusCode()).isEqualTo(403);
        var trusted = alice.send("POST", SESSIONS, body, "Origin", "https://console.example");
        assertThat(trusted.statusCode()).isEqualTo(201);
    }

    @Test
    void aProofIsForOneRequest() throws IOException {
        var url = alice.base() + SESSIONS;
        var proof = alice.key().proof("GET", url, alice.token());
        var login = List.of("Authorization", "DPoP " + alice.token(), "DPoP", proof);
        assertThat(alice.send("POST", SESSIONS, "{}", login).statusCode()).isEqualTo(401);
        assertThat(alice.send("GET", SESSIONS, "", login).statusCode()).isEqualTo(200);
        var replayed = alice.send("GET", SESSIONS, "", login);
        assertThat(replayed.statusCode()).isEqualTo(401);
        assertThat(replayed.headers().allValues("WWW-Authenticate"))
                .anySatisfy(challenge -> assertThat(challenge)
                        .startsWith("DPoP ")
                        .contains("error=\"invalid_dpop_proof\"")
                        .contains("algs=\"ES256"));
        var elsewhere = alice.key().proof("GET", "http://localhost:1" + SESSIONS, alice.token());
        var forAnother = List.of("Authorization", "DPoP " + alice.token(), "DPoP", elsewhere);
        assertThat(alice.send("GET", SESSIONS, "", forAnother).statusCode()).isEqualTo(401);
        var unproven = List.of("Authorization", "DPoP " + alice.token());
        assertThat(alice.send("GET", SESSIONS, "", unproven).statusCode()).isEqualTo(401);
        var bearer = List.of("Authorization", "Bearer " + alice.token());
        assertThat(alice.send("GET", SESSIONS, "", bearer).statusCode()).isEqualTo(401);
        var twice = List.of(
                "Authorization",
                "DPoP " + alice.token(),
                "DPoP",
                alice.key().proof("GET", url, alice.token()),
                "DPoP",
                alice.key().proof("GET", url, alice.token()));
        assertThat(alice.send("GET", SESSIONS, "", twice).statusCode()).isEqualTo(401);
    }

    @Test
    void thePublishedClientLibraryOpensATerminal() throws Exception {
        var settings = settings();
        // It follows a draft of DPoP in which proofs did not name their token.
        settings.put("bivouac.solid.require-ath", false);
        try (var lenient = TestRelay.start(relay.sockets(), settings)) {
            var credentials = solid.credentials("alice");
            var body = "{\"sandboxId\":\"" + id + "\",\"command\":\"cat\",\"workdir\":\"/tmp\"}";
            var said = SolidLibraries.run(
                    "client.mjs",
                    "",
                    solid.base(),
                    credentials.id(),
                    credentials.secret(),
                    lenient.http().base() + SESSIONS,
                    body);
            var answer = Socket.json(said);
            assertThat(answer.get("webId").getStringValue()).isEqualTo(solid.webId("alice"));
            assertThat(answer.get("status").getIntValue()).as(said).isEqualTo(201);
            assertThat(answer.get("body").get("userId").getStringValue()).isEqualTo(solid.webId("alice"));
        }
    }

    @Test
    void secretsThatARuleListsReachTheCommandAndNobodyElse() throws Exception {
        var secrets = Files.createDirectories(solid.folder("alice").resolve(".secrets"));
        Files.writeString(secrets.resolve("github.json"), "{\"token\": \"ghp_s3cret-value\"}");
        var env =
                Map.of("GITHUB_TOKEN", Map.of("@ref", "/.secrets/github.json", "jsonPath", "$.token"), "COLOUR", "red");
        letBobIn("");
        var shell = List.of("-c", "echo $COLOUR; printf %s \"$GITHUB_TOKEN\" | sha256sum; cat");
        refused(
                bob.post(SESSIONS, request("command", "sh", "args", shell, "env", env)),
                403,
                "FORBIDDEN",
                "does not list the secret /.secrets/github.json");
        letBobIn("udf:injectSecrets \"/.secrets/github.json\"");
        refused(
                bob.post(SESSIONS, request("command", "sh", "args", shell, "env", env)),
                403,
                "FORBIDDEN",
                "Others may use this sandbox");
        var made = bob.post(SESSIONS, request("sandboxId", bobs.value(), "command", "sh", "args", shell, "env", env));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        var session = made.text("sessionId");
        var ticket = made.body().get("protocols").get(1).getStringValue();
        var hash = java.util.HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                        .digest("ghp_s3cret-value".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        try (var socket = Socket.open(made.text("wsUrl"), Map.of(), "bivouac.json", ticket)) {
            socket.awaitText(seen -> seen.contains("red") && seen.contains(hash));
        }
        var acts = relay.bean(Audit.class)
                .list(relay.caller().project(), Long.MAX_VALUE, 50)
                .items();
        assertThat(acts).anySatisfy(row -> {
            assertThat(row.action()).isEqualTo("secret.injected");
            assertThat(row.subject()).isEqualTo(session);
            assertThat(row.detail()).contains("GITHUB_TOKEN from /.secrets/github.json");
        });
        assertThat(relay.wholeDatabase()).doesNotContain("ghp_s3cret-value").contains("/.secrets/github.json");
        assertThat(bobsAgent.everythingWritten()).doesNotContain("ghp_s3cret-value");
        var order = acts.stream()
                .filter(row -> row.subject().equals(session))
                .map(row -> row.action())
                .toList();
        assertThat(order.indexOf("secret.injected")).isGreaterThan(order.indexOf("terminal.started"));
        // A rule that no longer lists it withdraws the session, which has it.
        letBobIn("udf:maxSessionDuration 3600");
        Wait.until(() -> status(bob, session).equals("terminated"));
    }

    @Test
    void aSecretThatIsNotThereIsRefusedBeforeAnythingIsMade() throws IOException {
        letBobIn("udf:injectSecrets \"/.secrets/none.json\", \"/profile/card\"");
        refused(
                bob.post(SESSIONS, request("env", secret("/.secrets/none.json", "$.x"))),
                400,
                "INVALID_REQUEST",
                "there is no");
        refused(
                bob.post(SESSIONS, request("env", secret("/profile/card", "$.x"))),
                400,
                "INVALID_REQUEST",
                "is no JSON");
        refused(bob.post(SESSIONS, request("env", secret("/.secrets/../x", "$.x"))), 400, "INVALID_REQUEST", "@ref");
        refused(
                bob.post(SESSIONS, request("env", secret("/.secrets/none.json", "$..x"))),
                400,
                "INVALID_REQUEST",
                "jsonPath");
        refused(
                bob.post(SESSIONS, request("env", Map.of("A", Map.of("@ref", "/x")))),
                400,
                "INVALID_REQUEST",
                "jsonPath");
        var byKey = relay.http().post(SESSIONS, request("env", secret("/.secrets/none.json", "$.x")));
        refused(byKey, 403, "FORBIDDEN", "log in with a WebID");
    }

    @Test
    void aPodsConfigurationGivesSecretsToThoseWhoMayHaveThem() throws Exception {
        var secrets = Files.createDirectories(solid.folder("alice").resolve(".secrets"));
        Files.writeString(
                secrets.resolve("auto.json"),
                "{\"AUTO_TOKEN\": \"one\", \"PATH\": \"/evil\", \"no-name\": \"x\", \"LIST\": [1]}");
        letBobIn("udf:injectSecrets \"/.secrets/auto.json\"");
        var config = solid.folder("alice").resolve(".terminal/config$.ttl");
        Files.writeString(config, PREFIXES + """
                <config> udf:autoInjectSecrets "/.secrets/auto.json", "/.secrets/none.json" .
                """);
        var shell = List.of("-c", "echo =$AUTO_TOKEN=$LIST=; echo $PATH; cat");
        var alone = request("sandboxId", bobs.value(), "command", "sh", "args", shell);
        try {
            assertThat(seen(bob.post(SESSIONS, alone), "=\r\n"))
                    .contains("=one==")
                    .doesNotContain("/evil");
            assertThat(seen(bob.post(SESSIONS, request("command", "sh", "args", shell)), "=\r\n"))
                    .contains("===");
            letBobIn("");
            assertThat(seen(bob.post(SESSIONS, alone), "=\r\n")).contains("===");
        } finally {
            Files.delete(config);
        }
    }

    private static String seen(Http.Answer made, String until) {
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        var ticket = made.body().get("protocols").get(1).getStringValue();
        try (var socket = Socket.open(made.text("wsUrl"), Map.of(), "bivouac.json", ticket)) {
            return socket.awaitText(seen -> seen.contains(until)).text();
        }
    }

    @Test
    void aSandboxForOneGuestIsNoOneElses() throws IOException {
        refused(alice.post(SESSIONS, request("sandboxId", bobs.value())), 404, "SANDBOX_NOT_FOUND", "no sandbox");
    }

    @Test
    void aPodsOwnConfigurationTurnsNoCommandIntoAnother() throws IOException {
        letBobIn("udf:allowedCommands \"cat\"");
        var config = solid.folder("alice").resolve(".terminal/config$.ttl");
        Files.writeString(config, PREFIXES + """
                <config> udf:env [ udf:key "LD_PRELOAD" ; udf:value "/tmp/x.so" ] .
                """);
        try {
            refused(bob.post(SESSIONS, request()), 403, "FORBIDDEN", "LD_PRELOAD");
        } finally {
            Files.delete(config);
        }
        opened(bob);
    }

    @Test
    void aPodsOwnConfigurationSetsNoHomeForACommandThatTheRuleNames() throws IOException {
        letBobIn("udf:allowedCommands \"env\"");
        var config = solid.folder("alice").resolve(".terminal/config$.ttl");
        Files.writeString(config, PREFIXES + """
                <config> udf:env [ udf:key "XDG_CONFIG_HOME" ; udf:value "/workspace" ],
                    [ udf:key "GITHUB_TOKEN" ; udf:value "from-config" ] .
                """);
        try {
            var made = bob.post(SESSIONS, request("command", "env"));
            assertThat(made.status()).as("%s", made).isEqualTo(201);
            var ticket = made.body().get("protocols").get(1).getStringValue();
            try (var socket = Socket.open(made.text("wsUrl"), Map.of(), "bivouac.json", ticket)) {
                socket.awaitText(seen -> seen.contains("GITHUB_TOKEN=from-config"));
                socket.awaitClose();
                assertThat(socket.text()).doesNotContain("XDG_CONFIG_HOME");
            }
        } finally {
            Files.delete(config);
        }
    }

    @Test
    void aPodsOwnConfigurationFillsGaps() throws IOException {
        var config = Files.createDirectories(solid.folder("alice").resolve(".terminal"))
                .resolve("config$.ttl");
        Files.writeString(config, PREFIXES + """
                <config> a udf:TerminalConfig ;
                    udf:defaultShell "/bin/sh" ; udf:defaultWorkdir "/tmp" ;
                    udf:env [ udf:key "EDITOR" ; udf:value "vim" ], [ udf:key "COLOUR" ; udf:value "blue" ] .
                """);
        try {
            var made = alice.post(SESSIONS, Map.of("sandboxId", id.value(), "env", Map.of("COLOUR", "red")));
            assertThat(made.status()).as("%s", made).isEqualTo(201);
            assertThat(made.text("command")).isEqualTo("/bin/sh");
            var ticket = made.body().get("protocols").get(1).getStringValue();
            try (var socket = Socket.open(made.text("wsUrl"), Map.of(), "bivouac.json", ticket)) {
                socket.send("{\"type\":\"input\",\"data\":\"echo $EDITOR-$COLOUR-$PWD\\r\"}")
                        .awaitText(seen -> seen.contains("vim-red-/tmp"));
            }
        } finally {
            Files.delete(config);
        }
    }

    private static Map<String, Object> secret(String path, String jsonPath) {
        return Map.of("TOKEN", Map.of("@ref", path, "jsonPath", jsonPath));
    }
}
