package io.bivouac.sandboxio.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RunCommandTest {
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static Http.Answer run(Map<String, ?> request) {
        return relay.http().post(id + "/process/run", request);
    }

    @Test
    void aShellLineGivesItsOutputAndExitCode() {
        var answer = run(Map.of("command", "echo out; echo err >&2; exit 3"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("commandId")).startsWith("cmd-");
        assertThat(answer.number("exitCode")).isEqualTo(3);
        assertThat(answer.text("stdout")).isEqualTo("out\n");
        assertThat(answer.text("stderr")).isEqualTo("err\n");
        assertThat(answer.body().get("truncated").getBooleanValue()).isFalse();
        assertThat(answer.body().get("durationMs")).isNotNull();
        assertThat(answer.body().get("stdoutBase64")).isNull();
    }

    @Test
    void anArgvIsNotReadByAShell() {
        assertThat(run(Map.of("command", List.of("printf", "%s|", "$HOME", "a b")))
                        .text("stdout"))
                .isEqualTo("$HOME|a b|");
    }

    @Test
    void theCommandSeesItsVariablesItsFolderAndItsInput() {
        var answer = run(Map.of(
                "command",
                "pwd; echo $BASE $MINE; cat",
                "cwd",
                "/usr",
                "envs",
                Map.of("MINE", "mine"),
                "stdin",
                "größer\n"));

        assertThat(answer.text("stdout")).isEqualTo("/usr\nbase mine\ngrößer\n");
    }

    @Test
    void largeInputArrivesWhole() {
        var input = "0123456789abcdef".repeat(60_000);
        assertThat(run(Map.of("command", "sleep 0.2; wc -c", "stdin", input))
                        .text("stdout")
                        .strip())
                .isEqualTo(Integer.toString(input.length()));
    }

    @Test
    void inputThatNobodyReadsDoesNoHarm() {
        assertThat(run(Map.of("command", "true", "stdin", "x".repeat(1_000_000)))
                        .number("exitCode"))
                .isZero();
    }

    @Test
    void aRequestBeyondItsLimitIsRefused() {
        assertThat(run(Map.of("command", "true", "stdin", "x".repeat(1 << 20))).number("code"))
                .isEqualTo(1005);
    }

    @Test
    void aFieldThatIsNotKnownIsNamedRatherThanIgnored() {
        for (var path : List.of(id + "/process/run", id + "/process/cmd-" + "0".repeat(26) + "/kill", id + "/exec")) {
            var answer = relay.http().post(path, Map.of("shellz", "bash"));
            assertThat(answer.status()).as(path).isEqualTo(400);
            assertThat(answer.number("code")).isEqualTo(1003);
            assertThat(answer.text("detail")).contains("shellz");
        }
    }

    @Test
    void anExitBySignalIsNegative() {
        assertThat(run(Map.of("command", "kill -9 $$")).number("exitCode")).isEqualTo(-9);
    }

    @Test
    void aTimeoutIsAnErrorWithTheOutputSoFar() {
        var answer = run(Map.of("command", "echo early; sleep 30", "timeout", 300));

        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.number("code")).isEqualTo(4001);
        assertThat(answer.body().get("details").get("stdout").getStringValue()).isEqualTo("early\n");
    }

    @Test
    void outputBeyondItsBoundIsCut() {
        var answer = run(Map.of("command", "head -c 300000 /dev/zero | tr '\\0' x", "maxOutputSize", 100_000));

        assertThat(answer.text("stdout")).hasSize(100_000);
        assertThat(answer.body().get("truncated").getBooleanValue()).isTrue();
        assertThat(answer.number("exitCode")).isZero();
    }

    @Test
    void bytesThatAreNoTextComeExactlyToo() {
        var answer = run(Map.of("command", "printf 'a\\377b'"));

        assertThat(answer.text("stdout")).isEqualTo("a\uFFFDb");
        assertThat(Base64.getDecoder().decode(answer.text("stdoutBase64"))).containsExactly('a', 0xFF, 'b');
    }

    @Test
    void aCommandThatCannotStartSaysWhy() {
        var answer = run(Map.of("command", List.of("/no/such/program")));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.number("code")).isEqualTo(4002);
        assertThat(answer.text("detail")).contains("/no/such/program");
        assertThat(run(Map.of("command", "true", "cwd", "/nowhere")).number("code"))
                .isEqualTo(4002);
        assertThat(run(Map.of("command", List.of("/no/such"), "stream", true)).status())
                .isEqualTo(422);
        assertThat(run(Map.of("command", List.of("/no/such"), "background", true))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void execGivesTheResultAlone() {
        var answer = relay.http().post(id + "/exec", Map.of("command", List.of("sh", "-c", "echo hi; exit 4")));

        assertThat(answer.number("exitCode")).isEqualTo(4);
        assertThat(answer.text("stdout")).isEqualTo("hi\n");
        assertThat(answer.text("stderr")).isEmpty();
        assertThat(relay.http().post(id + "/exec", Map.of("command", "line")).number("code"))
                .isEqualTo(1003);
    }

    @Test
    void requestsWithoutSenseAreRefusedWithAReason() {
        for (var request : List.<Map<String, ?>>of(
                Map.of(),
                Map.of("command", ""),
                Map.of("command", List.of()),
                Map.of("command", List.of(1)),
                Map.of("command", "a\0b"),
                Map.of("command", "true", "timeout", 0),
                Map.of("command", "true", "maxOutputSize", 100_000_000),
                Map.of("command", "true", "envs", Map.of("A=B", "c")),
                Map.of("command", "x".repeat(200_000)))) {
            var answer = run(request);
            assertThat(answer.status()).as(request.toString()).isEqualTo(400);
            assertThat(answer.number("code")).isEqualTo(1003);
            assertThat(answer.text("detail")).isNotBlank();
        }
    }

    @Test
    void onlyTheOwnersDevelopersMayRunCommands() {
        var keys = relay.bean(ApiKeys.class);
        var viewer =
                keys.make(relay.caller(), "viewer", Role.VIEWER, false).text().value();
        var other = relay.bean(Projects.class)
                .make(relay.caller(), "other-" + SandboxId.next(), 5)
                .firstKey()
                .value();
        var request = Map.of("command", "true");

        assertThat(relay.http(viewer).post(id + "/process/run", request).number("code"))
                .isEqualTo(1002);
        assertThat(relay.http(other).post(id + "/process/run", request).number("code"))
                .isEqualTo(1002);
        assertThat(relay.http("nobody's").post(id + "/process/run", request).status())
                .isEqualTo(401);
        assertThat(relay.http().post(SandboxId.next() + "/process/run", request).number("code"))
                .isEqualTo(2001);
        assertThat(relay.http().post("nonsense/process/run", request).status()).isEqualTo(404);
    }

    @Test
    void aSandboxThatDoesNotRunTakesNoCommands() {
        var starting = relay.sandbox();
        assertThat(relay.http()
                        .post(starting + "/process/run", Map.of("command", "true"))
                        .number("code"))
                .isEqualTo(2004);

        var stopping = relay.sandbox();
        try (var itsAgent = relay.agent(stopping)) {
            assertThat(itsAgent.pid()).isPositive();
            assertThat(relay.http()
                            .post(stopping + "/process/run", Map.of("command", "true"))
                            .status())
                    .isEqualTo(200);
            relay.bean(SandboxStore.class).on(stopping, new StopRequested());
            relay.await(stopping, SandboxState.STOPPING);
            assertThat(relay.http()
                            .post(stopping + "/process/run", Map.of("command", "true"))
                            .status())
                    .isEqualTo(409);
        }
    }

    @Test
    void anAgentThatIsAwayIsUnavailable() {
        var lonely = relay.sandbox();
        relay.agent(lonely).close();

        var answer = relay.http().post(lonely + "/process/run", Map.of("command", "true"));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.number("code")).isEqualTo(9003);
    }

    @Test
    void tooManyCommandsAreRefused() {
        var small = relay.sandbox();
        try (var itsAgent = relay.agent(small, "{\"commands\": 1}")) {
            assertThat(itsAgent.pid()).isPositive();
            relay.http().post(small + "/process/run", Map.of("command", "sleep 60", "background", true));

            var answer = relay.http().post(small + "/process/run", Map.of("command", "true"));

            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.number("code")).isEqualTo(4004);
        }
    }
}
