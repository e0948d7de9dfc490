package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.agentlink.testing.DpopKey;
import io.bivouac.agentlink.testing.Guest;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.SolidIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Pod's files in the sandboxes of sessions that its ACLs granted: the whole server, real sandboxes, a real folder. */
class PodSessionTest {
    private static final String SESSIONS = "/-/terminal/sessions";

    private static SolidIssuer issuer;
    private static PodFolder pod;
    private static CrashSite site;
    private String session;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/fuse")), "this machine has no /dev/fuse");
        issuer = SolidIssuer.start();
        pod = PodFolder.make(issuer.webId());
        site = CrashSite.open(Map.of(
                "BIVOUAC_PODS", PodFolder.URL + "=" + pod.root(),
                "BIVOUAC_SOLID_ALLOW", "127.0.0.0/8,::1",
                "BIVOUAC_POD_ASK_EVERY", "300ms",
                "BIVOUAC_TERMINAL_LOOK_EVERY", "300ms",
                // Each sandbox on the host is a session's.
                "BIVOUAC_WARM_SANDBOXES", "0"));
    }

    @AfterAll
    static void stop() throws Exception {
        if (site != null) {
            site.close();
        }
        if (pod != null) {
            pod.close();
            issuer.close();
        }
    }

    @BeforeEach
    void furnish() throws IOException {
        Files.deleteIfExists(pod.file("workspace/later"));
        pod.grant("", "")
                .grantTerminals("udf:maxSessionDuration 3600")
                .grant("workspace/", "acl:Read, acl:Write")
                .put("workspace/readme", "read me")
                .grant("workspace/private/", "")
                .put("workspace/private/diary", "dear diary")
                .grant("notes/", "acl:Read")
                .put("notes/todo", "to do")
                .put("photos/me", "a photo")
                .put(".secrets/token", "a secret");
    }

    @AfterEach
    void leaveNothing() throws Exception {
        if (session != null) {
            ServerProcess.await("the session ends", () -> ended(session));
            ServerProcess.await(
                    "no sandbox is left", () -> site.traces().sandboxFolders().isEmpty());
        }
    }

    /** Its agent may be on the way back to a server that was killed. */
    private static boolean ended(String session) {
        try {
            return guest().delete(SESSIONS + "/" + session).status() != 503;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Guest guest() throws Exception {
        var key = DpopKey.next();
        return new Guest(site.api().url(), issuer.sign(issuer.claims(key).build()), key);
    }

    private static Http.Answer ask(String workdir) throws Exception {
        return guest().post(SESSIONS, Map.of("command", "cat", "workdir", workdir));
    }

    /** The id of the sandbox. */
    private String opened(String workdir) throws Exception {
        var made = ask(workdir);
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        session = made.text("sessionId");
        assertThat(made.text("podFolder")).isEqualTo("/pod");
        return made.text("sandboxId");
    }

    private static String out(String sandbox, String line) throws Exception {
        return Api.text(Api.expect(200, site.api().run(sandbox, line, "")), "stdout");
    }

    private static void refused(String sandbox, String... lines) throws Exception {
        for (var line : lines) {
            var answer = Api.json(Api.expect(200, site.api().run(sandbox, line, "")));
            assertThat(answer.get("exitCode")).as("%s: %s", line, answer).isNotEqualTo(0);
        }
    }

    private static void awaitOut(String sandbox, String line, String expected) throws InterruptedException {
        ServerProcess.await(line + " says " + expected, () -> {
            try {
                var answer = site.api().run(sandbox, line, "");
                return answer.statusCode() == 200 && Api.text(answer, "stdout").equals(expected);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    @Test
    void aSessionSeesWhatItsAclsGrant() throws Exception {
        var sandbox = opened("/workspace");
        assertThat(out(sandbox, "cat /workspace/readme; ls -A /pod /pod/notes /workspace"))
                .isEqualTo("read me/pod:\nnotes\nworkspace\n\n/pod/notes:\ntodo\n\n/workspace:\nreadme\n");
        assertThat(out(sandbox, "cd /workspace; mkdir new; echo x > new/file; stat -c %U new/file"))
                .isEqualTo("sandbox\n");
        assertThat(pod.ownerOf("workspace/new/file")).isEqualTo(PodFolder.OWNER);
        assertThat(Files.readString(pod.file("workspace/new/file"))).isEqualTo("x\n");
        refused(
                sandbox,
                "cat /workspace/private/diary",
                "cat /workspace/../pod/workspace/private/diary",
                "cat /pod/photos/me",
                "cat /pod/.secrets/token",
                "echo x > /pod/notes/todo",
                "echo x > /workspace/new/.acl",
                "cp /workspace/readme /workspace/new/.acl",
                "mv /workspace/readme /workspace/readme.acl",
                "ln /workspace/readme /workspace/new/.acl",
                "mv /workspace/private /workspace/public");
        assertThat(Files.list(pod.file("workspace/new"))).hasSize(1);
        site.api().run(sandbox, "rm -r /workspace/new", "");
        assertThat(pod.file("workspace/new")).doesNotExist();
    }

    @Test
    void whatIsWithdrawnIsGoneFromTheSandboxAndWithTheTerminalsRightAllOfIt() throws Exception {
        var sandbox = opened("/workspace");
        // An open file is read again and again, until it cannot be.
        var reading = "exec 3< /pod/notes/todo; while cat <&3; do sleep 0.1; done; echo over > /tmp/over";
        site.api().run(sandbox, reading, ", \"background\": true");
        pod.grant("notes/", "");
        awaitOut(sandbox, "ls -A /pod; cat /tmp/over", "workspace\nover\n");
        pod.grant("notes/", "acl:Read").grant("workspace/", "acl:Read");
        awaitOut(sandbox, "cat /pod/notes/todo; test -w /workspace || echo no", "to dono\n");
        Files.delete(pod.file(".terminal/.acl"));
        ServerProcess.await(
                "nothing of the session is left",
                () -> site.traces().sandboxFolders().isEmpty()
                        && site.traces().sandboxProcesses().isEmpty());
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain("sandboxes/" + sandbox);
        assertThat(Files.readString(pod.file("notes/todo"))).isEqualTo("to do");
    }

    @Test
    void aViewOutlivesItsServer() throws Exception {
        var sandbox = opened("/workspace");
        site.kill();
        pod.grant("notes/", "").put("workspace/later", "later");
        site.start();
        awaitOut(sandbox, "cat /workspace/later; ls -A /pod", "laterworkspace\n");
    }

    @Test
    void aRuleThatNamesWorkdirsConfinesTheSessionToThem() throws Exception {
        pod.grantTerminals("udf:allowedWorkdirs \"/alice/notes/\"");
        for (var elsewhere : new String[] {"/workspace", "/", "/alice/workspace/", "/notes/../workspace"}) {
            assertThat(ask(elsewhere).status()).as(elsewhere).isIn(400, 403);
        }
        var sandbox = opened("/alice/notes");
        assertThat(out(sandbox, "cat /alice/notes/todo; ls -A /pod")).isEqualTo("to donotes\n");
        refused(sandbox, "cat /pod/workspace/readme", "echo x > /alice/notes/todo");
    }

    @Test
    void aSandboxThatWasThereBeforeHasNoneOfIt() throws Exception {
        var create = "{\"template\": \"default\", \"labels\": {\"pod\": \"" + PodFolder.URL + "\"}}";
        var sandbox = Api.text(Api.expect(201, site.api().send("POST", "/api/v1/sandboxes", create)), "id");
        var made = guest().post(SESSIONS, Map.of("command", "cat", "workdir", "/workspace", "sandboxId", sandbox));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(made.text("podAbsent")).contains("was there before");
        assertThat(out(sandbox, "ls -A /workspace /pod 2>/dev/null")).isEqualTo("/workspace:\n");
        Api.expect(204, site.api().delete(sandbox));
    }
}
