package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.bivouac.terminalrelay.terminal.Terminals;
import io.bivouac.terminalrelay.terminal.Terminals.Wish;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Terminals of a sandbox and terminal sessions are listed apart. */
class ListedTerminalsTest {
    private static TestRelay relay;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @Test
    void theListHasWhatThisDoorOpensAndNothingElse() {
        var box = relay.sandbox();
        try (var own = relay.agent(box);
                var exec = relay.http().socket(box + "/exec/interactive?command=cat&source=me", Socket.BINARY)) {
            var shell = relay.http().post(box + "/pty", Map.of()).text("id");
            var command = exec.awaitFrame(5).json().get("terminal").getStringValue();
            var session = relay.http().post("/-/terminal/sessions", Map.of("sandboxId", box.value()));
            assertThat(session.status()).as("%s", session).isEqualTo(201);
            var terminals = relay.bean(Terminals.class);
            var order = TerminalOrder.of(null, null, null, null, null, null);
            terminals.reserve(
                    new Wish(Door.PTY, box, order, Duration.ofMinutes(1), false, false, null), relay.caller());
            var listed = relay.http().get(box + "/pty").body().get("items");
            assertThat(listed.values())
                    .extracting(item -> item.get("id").getStringValue())
                    .containsExactlyInAnyOrder(shell, command);
        }
    }
}
