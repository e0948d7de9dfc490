package io.bivouac.terminalrelay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.LimitChange;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.access.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalLimitsTest {
    private static final Map<String, String> PROGRAM = Map.of("command", "cat");

    @Test
    void twentyKeysOfOneAdminCannotTakeAllTerminals() {
        try (var relay = TestRelay.start(Map.of("bivouac.terminal.per-sandbox", 4))) {
            var project = relay.project(limit(5));
            var one = relay.sandboxOf(project);
            var two = relay.sandboxOf(project);
            var another = relay.project(limit(5));
            var others = relay.sandboxOf(another);
            try (var _ = relay.agent(one);
                    var _ = relay.agent(two);
                    var _ = relay.agent(others)) {
                var refusals = new ArrayList<Http.Answer>();
                int made = 0;
                for (int key = 0; key < 20; key++) {
                    var http = relay.http(newKey(relay, project));
                    for (var sandbox : List.of(one, two)) {
                        var answer = http.post(sandbox + "/pty", PROGRAM);
                        made += answer.status() == 201 ? 1 : 0;
                        if (answer.status() != 201) {
                            refusals.add(answer);
                        }
                    }
                }
                assertThat(made).isEqualTo(5);
                assertThat(refusals).allSatisfy(answer -> {
                    assertThat(answer.status()).isEqualTo(429);
                    assertThat(answer.text("name")).isEqualTo("PTY_LIMIT_EXCEEDED");
                    assertThat(answer.text("detail")).startsWith("There are 5 terminals of this project");
                });
                assertThat(relay.http(another.firstKey().value())
                                .post(others + "/pty", PROGRAM)
                                .status())
                        .isEqualTo(201);
            }
        }
    }

    @Test
    void aSandboxHasItsOwnLimit() {
        try (var relay = TestRelay.start(Map.of("bivouac.terminal.per-sandbox", 2))) {
            var full = relay.sandbox();
            var other = relay.sandbox();
            try (var _ = relay.agent(full);
                    var _ = relay.agent(other)) {
                assertThat(relay.http().post(full + "/pty", PROGRAM).status()).isEqualTo(201);
                assertThat(relay.newcomer().post(full + "/pty", PROGRAM).status())
                        .isEqualTo(201);
                assertThat(relay.http().post(full + "/pty", PROGRAM).text("detail"))
                        .startsWith("There are 2 terminals in this sandbox, which is the limit");
                assertThat(relay.http().post(other + "/pty", PROGRAM).status()).isEqualTo(201);
            }
        }
    }

    @Test
    void anIdleShellWithoutAClientGivesWayAndOthersStay() {
        try (var relay = TestRelay.start(Map.of(
                "bivouac.terminal.per-sandbox", 3,
                "bivouac.terminal.idle-after", "300ms",
                "bivouac.terminal.look-every", "100ms"))) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var program = relay.http().post(id + "/pty", PROGRAM).text("id");
                var watched = relay.http().post(id + "/pty", Map.of()).text("id");
                var left = relay.http().post(id + "/pty", Map.of()).text("id");
                try (var socket = relay.http().socket(id + "/pty/" + watched + "/ws", Socket.BINARY)) {
                    socket.awaitFrame(frame -> true);
                    Wait.until(() -> relay.http().post(id + "/pty", PROGRAM).status() == 201);
                    assertThat(status(relay, id + "/pty/" + left)).isEqualTo("terminated");
                    assertThat(status(relay, id + "/pty/" + program)).isNotEqualTo("terminated");
                    assertThat(status(relay, id + "/pty/" + watched)).isNotEqualTo("terminated");
                    assertThat(relay.http().post(id + "/pty", PROGRAM).status()).isEqualTo(429);
                }
            }
        }
    }

    private static String status(TestRelay relay, String path) {
        return relay.http().get(path).text("status");
    }

    private static LimitChange limit(int terminals) {
        return new LimitChange(100, terminals, null, null, null, null);
    }

    private static String newKey(TestRelay relay, Projects.Made project) {
        var admin = new Caller("key_test", project.project().id(), Role.ADMIN, false);
        return relay.bean(ApiKeys.class)
                .make(admin, "one of many", Role.ADMIN, false)
                .text()
                .value();
    }
}
