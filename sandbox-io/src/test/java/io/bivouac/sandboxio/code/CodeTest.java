package io.bivouac.sandboxio.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Events;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real interpreters of this machine, run by a real agent. */
class CodeTest {
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.code.sessions", 5));
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static Map<String, Object> request(String language, String code) {
        return new HashMap<>(Map.of("language", language, "code", code));
    }

    private static Events stream(Map<String, ?> request) {
        var response = relay.http().openPost(id + "/code", request);
        assertThat(response.statusCode()).isEqualTo(200);
        return new Events(response.body());
    }

    private static JsonNode run(String language, String code) {
        return run(request(language, code));
    }

    private static JsonNode run(Map<String, Object> request) {
        request.put("stream", false);
        var answer = relay.http().post(id + "/code", request);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static String text(JsonNode result) {
        return result.get("results").get(0).get("mimeBundle").get("text/plain").getStringValue();
    }

    private static JsonNode last(List<Events.Event> events) {
        assertThat(events).filteredOn(event -> event.type().equals("exit")).hasSize(1);
        assertThat(events.getLast().type()).isEqualTo("exit");
        return events.getLast().data();
    }

    /** Reads until code says this on stdout. */
    private static void await(Events stream, String said) {
        var event = stream.next();
        while (!event.type().equals("stdout") || !event.text().contains(said)) {
            event = stream.next();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python     | x = 41            | print(x + 1)",
                "javascript | const x = 41      | console.log(x + 1)",
                "bash       | x=41              | echo $((x + 1))"
            })
    void variablesAreKept(String language, String first, String second) {
        assertThat(run(language, first).get("ok").getBooleanValue()).isTrue();

        var result = run(language, second);

        assertThat(result.get("stdout").getStringValue()).isEqualTo("42\n");
        assertThat(result.get("session").getStringValue()).isEqualTo("kept");
        assertThat(result.get("sessionId").getStringValue()).isEqualTo("default-" + language);
    }

    @Test
    void eventsTellARunsLife() {
        try (var stream = stream(request("python", "import sys\nprint('out')\nprint('err', file=sys.stderr)\n6 * 7"))) {
            var events = stream.rest();

            assertThat(events.getFirst().type()).isEqualTo("start");
            assertThat(events)
                    .allSatisfy(event -> assertThat(event.data().get("type").getStringValue())
                            .isEqualTo(event.type()));
            assertThat(events)
                    .extracting(Events.Event::type)
                    .contains("stdout", "stderr", "result", "status")
                    .doesNotContain("error");
            var result = events.stream()
                    .filter(event -> event.type().equals("result"))
                    .findFirst()
                    .orElseThrow()
                    .data();
            assertThat(result.get("main").getBooleanValue()).isTrue();
            assertThat(result.get("mimeBundle").get("text/plain").getStringValue())
                    .isEqualTo("42");
            var exit = last(events);
            assertThat(exit.get("ok").getBooleanValue()).isTrue();
            assertThat(exit.get("timedOut").getBooleanValue()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python     | def f(): raise ValueError('no') | f() | ValueError | no",
                "javascript | function f() { throw new TypeError('no') } | f() | TypeError | no",
                "bash       | f() { return 3; } | f | ExitStatus | exit status 3"
            })
    void whatIsRaisedIsToldWithItsTrace(String language, String define, String call, String name, String value) {
        run(language, define);

        var result = run(language, call);

        assertThat(result.get("ok").getBooleanValue()).isFalse();
        assertThat(result.get("error").get("name").getStringValue()).isEqualTo(name);
        assertThat(result.get("error").get("value").getStringValue()).isEqualTo(value);
        assertThat(result.get("error").get("traceback").getStringValue()).contains(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python     | for i in range(10000): print(i)",
                "javascript | for (let i = 0; i < 10000; i++) console.log(i)",
                "bash       | for ((i = 0; i < 10000; i++)); do echo $i; done"
            })
    void tenThousandLinesComeInOrder(String language, String code) {
        var expected = IntStream.range(0, 10_000).mapToObj(i -> i + "\n").collect(Collectors.joining());

        assertThat(run(language, code).get("stdout").getStringValue()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python     | kept = 7                | print('begun', flush=True)~while True: pass | print(kept)",
                "javascript | const kept = 7          | console.log('begun'); while (true) {}       | console.log(kept)",
                "bash       | kept=7                  | echo begun; while :; do :; done             | echo $kept"
            })
    void anEndlessLoopIsInterruptedAndTheVariablesAreThere(String language, String define, String loop, String show) {
        run(language, define);
        try (var stream = stream(request(language, loop.replace('~', '\n')))) {
            await(stream, "begun");

            var answer = relay.http().post(id + "/code/sessions/default-" + language + "/interrupt", Map.of());

            assertThat(answer.status()).isEqualTo(200);
            var exit = last(stream.rest());
            assertThat(exit.get("ok").getBooleanValue()).isFalse();
            assertThat(exit.get("session").getStringValue()).isEqualTo("kept");
        }
        assertThat(run(language, show).get("stdout").getStringValue()).isEqualTo("7\n");
    }

    @Test
    void aTimeoutInterruptsAndSaysWhatBecameOfTheSession() {
        run("python", "kept = 8");
        var loop = request("python", "while True: pass");
        // Long enough for the code to have begun on a busy machine.
        loop.put("timeout", 2);

        var interrupted = run(loop);

        assertThat(interrupted.get("timedOut").getBooleanValue()).isTrue();
        assertThat(interrupted.get("session").getStringValue()).isEqualTo("kept");
        assertThat(run("python", "print(kept)").get("stdout").getStringValue()).isEqualTo("8\n");
        run("python", "import signal; previous = signal.signal(signal.SIGINT, signal.SIG_IGN)");

        var killed = run(loop);

        assertThat(killed.get("timedOut").getBooleanValue()).isTrue();
        assertThat(killed.get("session").getStringValue()).isEqualTo("lost");
        assertThat(run("python", "print('kept' in globals())").get("stdout").getStringValue())
                .isEqualTo("False\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python     | import os, signal; os.kill(os.getpid(), signal.SIGKILL) | print('again')",
                "javascript | process.kill(process.pid, 'SIGKILL'); while (true) {}    | console.log('again')",
                "bash       | kill -KILL $$                                           | echo again"
            })
    void anInterpreterThatIsKilledIsToldAndReplaced(String language, String kill, String next) {
        var dead = run(language, kill);

        assertThat(dead.get("ok").getBooleanValue()).isFalse();
        assertThat(dead.get("session").getStringValue()).isEqualTo("lost");
        assertThat(dead.get("error").get("name").getStringValue()).isEqualTo("KernelDied");
        assertThat(dead.get("error").get("value").getStringValue()).contains("signal 9");
        assertThat(run(language, next).get("stdout").getStringValue()).isEqualTo("again\n");
    }

    @Test
    void variablesOfOneRunAreOfThatRunAlone() {
        for (var code : Map.of(
                        "python", "import os; print(os.environ.get('MINE'))",
                        "javascript", "console.log(process.env.MINE)",
                        "bash", "echo \"$MINE\"")
                .entrySet()) {
            var with = request(code.getKey(), code.getValue());
            with.put("envs", Map.of("MINE", "it's \"mine\""));

            assertThat(run(with).get("stdout").getStringValue()).isEqualTo("it's \"mine\"\n");
            assertThat(run(code.getKey(), code.getValue()).get("stdout").getStringValue())
                    .doesNotContain("mine");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python     | import asyncio~await asyncio.sleep(0)~40 + 2     | 42",
                "javascript | const y = await Promise.resolve(5); y            | 5",
                "javascript | const y = 6; y                                   | 6",
                "javascript | import { join } from 'path'; join('a', 'b')      | a/b"
            })
    void codeMayWaitAndDeclareANameAgain(String language, String code, String shown) {
        assertThat(text(run(language, code.replace('~', '\n')))).isEqualTo(shown);
    }

    @Test
    void resultsHaveTheirFormsAndCanBeFetchedLater() throws IOException {
        var shown = run("python", """
                class Both:
                    def _repr_html_(self): return '<b>hi</b>'
                    def _repr_png_(self): return bytes([137, 80, 78, 71])
                    def __repr__(self): return 'both'
                Both()""").get("results").get(0);

        assertThat(shown.get("mimeBundle").get("text/html").getStringValue()).isEqualTo("<b>hi</b>");
        assertThat(shown.get("mimeBundle").get("image/png").getStringValue()).isEqualTo("iVBORw==");
        var path = id + "/code/results/" + shown.get("id").getStringValue();
        var picture = relay.http().open(path + "?type=image/png", "*/*");
        assertThat(picture.headers().firstValue("content-type")).contains("image/png");
        assertThat(picture.body().readAllBytes()).containsExactly(137, 80, 78, 71);
        assertThat(relay.http().get(path + "?type=text/latex").number("code")).isEqualTo(4012);
        assertThat(relay.http().get(id + "/code/results/none-1").number("code")).isEqualTo(4012);
    }

    @Test
    void aResultLargerThanAMessageComesWhole() {
        var result = run("python", "display({'text/html': 'x' * 3_000_000}, raw=True)");

        assertThat(result.get("results")
                        .get(0)
                        .get("mimeBundle")
                        .get("text/html")
                        .getStringValue())
                .hasSize(3_000_000);
    }

    @Test
    void sessionsAreApartAndBounded() {
        var made = relay.http().post(id + "/code/sessions", Map.of("language", "python", "cwd", "/tmp"));
        assertThat(made.status()).isEqualTo(201);
        var session = made.text("id");
        var own = request("python", "import os; mine = 1; print(os.getcwd())");
        own.put("sessionId", session);
        assertThat(run(own).get("stdout").getStringValue()).isEqualTo("/tmp\n");
        assertThat(run("python", "print('mine' in globals())").get("stdout").getStringValue())
                .isEqualTo("False\n");
        var foreign = request("bash", "echo no");
        foreign.put("sessionId", session);
        assertThat(relay.http().post(id + "/code", foreign).status()).isEqualTo(400);

        relay.http().post(id + "/code/sessions/" + session + "/restart", Map.of());
        var again = request("python", "print('mine' in globals())");
        again.put("sessionId", session);
        assertThat(run(again).get("stdout").getStringValue()).isEqualTo("False\n");

        var others = new java.util.ArrayList<String>();
        var answer = relay.http().post(id + "/code/sessions", Map.of("language", "bash"));
        while (answer.status() == 201) {
            others.add(answer.text("id"));
            answer = relay.http().post(id + "/code/sessions", Map.of("language", "bash"));
        }
        assertThat(answer.number("code")).isEqualTo(4013);
        assertThat(relay.http().get(id + "/code/sessions").body().get("items").size())
                .isEqualTo(5);
        others.add(session);
        for (var other : others) {
            assertThat(relay.http().delete(id + "/code/sessions/" + other).status())
                    .isEqualTo(204);
        }
        assertThat(relay.http().delete(id + "/code/sessions/" + session).number("code"))
                .isEqualTo(4011);
    }

    @Test
    void aClientThatLeavesHasItsCodeInterrupted() {
        run("python", "import time\nkept = 9");
        try (var stream = stream(request("python", "print('begun', flush=True)\nwhile True: time.sleep(0.01)"))) {
            await(stream, "begun");
        }

        Wait.until(() -> relay.http()
                        .get(id + "/code/sessions")
                        .body()
                        .get("items")
                        .values()
                        .iterator()
                        .hasNext()
                && state("default-python").equals("idle"));
        assertThat(run("python", "print(kept)").get("stdout").getStringValue()).isEqualTo("9\n");
    }

    private static String state(String session) {
        for (var item :
                relay.http().get(id + "/code/sessions").body().get("items").values()) {
            if (item.get("id").getStringValue().equals(session)) {
                return item.get("state").getStringValue();
            }
        }
        return "none";
    }

    @Test
    void standardInputIsRefusedClearly() {
        assertThat(run("python", "input('name?')").get("error").get("value").getStringValue())
                .contains("no standard input");
        assertThat(run("javascript", "process.stdin").get("error").get("value").getStringValue())
                .contains("no standard input");
        assertThat(run("bash", "read line; echo \"got:$line\"").get("stdout").getStringValue())
                .isEqualTo("got:\n");
        var with = request("python", "1");
        with.put("stdin", "x");
        assertThat(relay.http().post(id + "/code", with).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cobol", ""})
    void anUnknownLanguageIsRefused(String language) {
        var answer = relay.http().post(id + "/code", Map.of("language", language, "code", "1"));

        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void badTimeoutsAndVariablesAreRefused() {
        for (var odd : List.of(Map.of("timeout", -1), Map.of("envs", Map.of("A B", "x")), Map.of("what", 1))) {
            var request = request("bash", "echo");
            request.putAll(odd);
            assertThat(relay.http().post(id + "/code", request).status()).isEqualTo(400);
        }
    }
}
