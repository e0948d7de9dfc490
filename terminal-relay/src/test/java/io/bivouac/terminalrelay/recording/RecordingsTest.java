package io.bivouac.terminalrelay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordingsTest {
    /** So many that the relay's bound for a sandbox is met before the agent's for a command. */
    private static final int COMMANDS = 24;

    private final AtomicInteger opened = new AtomicInteger();

    private TestRelay relay;
    private SandboxId id;
    private RealAgent agent;

    @BeforeEach
    void start() {
        relay = TestRelay.start();
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterEach
    void stop() {
        agent.close();
        relay.close();
    }

    /** While a sandbox has as many readers as it may, its terminals cannot be attached to. */
    @Test
    void aRecordingThatCannotBeAttachedBeginsLater() {
        var first = terminal("echo one; exec cat");
        var second = terminal("echo two; exec cat");
        var readers = allReaders();
        relay.statement("UPDATE terminals SET recorded = true WHERE sandbox_id = '" + id + "'");
        // They are begun in the order of their ids: once the second one has its row, the first one was refused.
        Wait.until(() -> isBegun(first) && isBegun(second));
        assertThat(cast(first)).isEmpty();
        assertThatThrownBy(() -> read("nothing")).isInstanceOf(BivouacException.class);

        readers.forEach(CommandStream::detach);
        Wait.until(() -> cast(first).contains("one") && cast(second).contains("two"));
    }

    private String terminal(String line) {
        return relay.newcomer().post(id + "/pty", Map.of("command", line)).text("id");
    }

    /** Each is answered by the agent before the next look: then nobody's place becomes free any more. */
    private List<CommandStream> allReaders() {
        var commands = Stream.generate(this::command).limit(COMMANDS).toList();
        var readers = new ArrayList<CommandStream>();
        int before;
        do {
            before = readers.size();
            fill(readers, commands);
            Wait.until(() -> opened.get() == readers.size());
        } while (readers.size() > before);
        return readers;
    }

    private void fill(List<CommandStream> readers, List<String> commands) {
        try {
            while (true) {
                readers.add(read(commands.get(readers.size() % COMMANDS)));
            }
        } catch (BivouacException full) {
            assertThat(full.code()).isEqualTo(ErrorCode.COMMAND_LIMIT_EXCEEDED);
        }
    }

    private String command() {
        var order = Map.of("command", "sleep 600", "background", true);
        return relay.http().post(id + "/process/run", order).text("commandId");
    }

    private CommandStream read(String command) {
        var attach = Attach.newBuilder().setCommandId(command).setStdout(true);
        return relay.bean(AgentConnections.class).find(id).orElseThrow().attach(attach, new Idle());
    }

    private boolean isBegun(String terminal) {
        return relay.http().open(id + "/pty/" + terminal + "/recording", "*/*").statusCode() == 200;
    }

    private String cast(String terminal) {
        try (var body =
                relay.http().open(id + "/pty/" + terminal + "/recording", "*/*").body()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Takes a reader's place and asks for nothing. */
    private final class Idle implements CommandListener {
        @Override
        public void opened(CommandStream stream, ProcessOpened answer) {
            opened.incrementAndGet();
        }

        @Override
        public void output(boolean stderr, long offset, ByteString data) {}

        @Override
        public void gap(boolean stderr, long from, long to) {}

        @Override
        public void exited(Exit exit) {}

        @Override
        public void failed(Failure.Kind kind, String message) {}

        @Override
        public void lost(String why) {}
    }
}
