package io.bivouac.sandboxio.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Output that is answered in one piece, where there is room for little of it. */
class CollectedOutputTest {
    /** Of which one project may have two thirds. */
    private static final int MEMORY = 1_500_000;

    private static final int BUDGET = MEMORY / 3 * 2;
    private static final String HALF_THE_BUDGET = "head -c 500000 /dev/zero | tr '\\0' x";

    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.memory.budget", MEMORY));
        id = relay.sandbox();
        agent = relay.agent(id);
        // Figures of what nobody has used yet are not there.
        run(Map.of("command", "true"));
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static Http.Answer run(Map<String, ?> request) {
        return relay.http().post(id + "/process/run", request);
    }

    private static double collected() {
        return relay.bean(MeterRegistry.class)
                .get("bivouac.memory.held")
                .tag("purpose", "command_output")
                .gauge()
                .value();
    }

    @Test
    void oneCommandAloneAlwaysHasRoom() {
        var answer = run(Map.of("command", "head -c 900000 /dev/zero | tr '\\0' x | tee /dev/stderr"));

        assertThat(answer.text("stdout")).hasSize(BUDGET / 2);
        assertThat(answer.text("stderr")).hasSize(BUDGET / 2);
        assertThat(answer.body().get("truncated").getBooleanValue()).isTrue();
        assertThat(run(Map.of("command", "true", "maxOutputSize", BUDGET / 2 + 1))
                        .status())
                .isEqualTo(400);
        Wait.until(() -> collected() == 0);
    }

    @Test
    void whatAllCommandsTogetherMayHaveCollectedIsBounded() throws Exception {
        var holding = CompletableFuture.supplyAsync(() ->
                run(Map.of("command", HALF_THE_BUDGET + "; " + HALF_THE_BUDGET + " >&2; sleep 60", "timeout", 50_000)));
        Wait.until(() -> collected() == BUDGET);

        var refused = relay.http().openPost(id + "/process/run", Map.of("command", "echo one too many"));

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        var problem = new String(refused.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(problem).contains("\"code\":9003", "\"commandId\":\"cmd-");
        assertThat(run(Map.of("command", "true")).number("exitCode")).isZero();
        for (var command : relay.http().get(id + "/process").body().get("items").values()) {
            relay.http()
                    .post(id + "/process/" + command.get("commandId").getStringValue() + "/kill", Map.of("signal", 9));
        }
        assertThat(holding.join().status()).isEqualTo(200);
        Wait.until(() -> collected() == 0);
        assertThat(run(Map.of("command", "echo again")).text("stdout")).isEqualTo("again\n");
    }

    @Test
    void whatAClientLeftBehindIsGivenBack() throws Exception {
        var leaving = new java.net.Socket(
                "127.0.0.1", java.net.URI.create(relay.http().base()).getPort());
        var body = "{\"command\":\"" + HALF_THE_BUDGET.replace("\\", "\\\\") + "; sleep 60\"}";
        leaving.getOutputStream()
                .write(("POST /api/v1/sandboxes/" + id + "/process/run HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: "
                                + TestRelay.KEY + "\r\nContent-Type: application/json\r\nContent-Length: "
                                + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
        Wait.until(() -> collected() == BUDGET / 2.0);
        leaving.close();
        Wait.until(() -> collected() == 0);
    }

    @Test
    void largeOutputComesAsItWasWritten() {
        var line = "größer € \uD83D\uDE00 \"quoted\" back\\slash\ttab \u0001";
        var script = "for i in $(seq 5000); do printf '%s\\n' \"$LINE\"; done";

        var answer = run(Map.of("command", script, "envs", Map.of("LINE", line)));

        assertThat(answer.text("stdout")).isEqualTo((line + "\n").repeat(5000));
        assertThat(answer.body().get("stdoutBase64")).isNull();
    }

    @Test
    void largeOutputThatIsNoTextComesExactlyToo() {
        var answer = run(Map.of("command", List.of("sh", "-c", "yes 'a' | head -c 200000; printf '\\377'")));

        var exact = Base64.getDecoder().decode(answer.text("stdoutBase64"));
        assertThat(exact).hasSize(200_001);
        assertThat(exact[200_000]).isEqualTo((byte) 0xFF);
        assertThat(new String(exact, 0, 200_000, StandardCharsets.US_ASCII)).isEqualTo("a\n".repeat(100_000));
        assertThat(answer.text("stdout")).isEqualTo("a\n".repeat(100_000) + "\uFFFD");
    }
}
