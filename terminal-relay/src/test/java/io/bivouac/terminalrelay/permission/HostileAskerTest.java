package io.bivouac.terminalrelay.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.PermissionAsked;
import io.bivouac.agent.v1.PermissionWithdrawn;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.agentlink.testing.HandMadeAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workload that has become its own agent asks too much, or what nobody would ask. */
class HostileAskerTest {
    private static TestRelay relay;
    private SandboxId id;
    private HandMadeAgent agent;
    private HandMadeAgent.Call<AgentMessage, RelayMessage> control;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.permission.quorum", 10_000));
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @BeforeEach
    void register() throws Exception {
        id = relay.sandbox();
        agent = new HandMadeAgent(relay.sockets());
        control = agent.register(id, relay.bean(SandboxTokens.class).joinToken(id));
        assertThat(control.next().hasRegistered()).isTrue();
        relay.await(id, SandboxState.RUNNING);
    }

    @AfterEach
    void hangUp() {
        agent.close();
    }

    private static AgentMessage asked(PermissionAsked.Builder question) {
        return AgentMessage.newBuilder().setPermissionAsked(question).build();
    }

    private static PermissionAsked.Builder question(int number) {
        return PermissionAsked.newBuilder()
                .setQuestionId("q" + number)
                .setAction("a")
                .setTimeoutSeconds(60);
    }

    @Test
    void whatNobodyCanGrantIsDeniedAtOnce() throws Exception {
        var answer = control.send(asked(question(1))).next().getPermissionAnswered();
        assertThat(answer.getGranted()).isFalse();
        assertThat(answer.getQuestionId()).isEqualTo("q1");
        assertThat(answer.getReason()).isEqualTo("nobody may answer this");
        var again = control.send(asked(question(1))).next().getPermissionAnswered();
        assertThat(again).isEqualTo(answer);
    }

    @Test
    void aFloodIsDeniedUnstoredAndThenCutOff() throws Exception {
        for (int i = 0; i < 1000 && control.isOpen(); i++) {
            control.send(asked(question(i)));
        }
        assertThat(control.end()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        var stored = relay.http().get("/api/v1/permissions?limit=500&sandboxId=" + id);
        assertThat(stored.body().get("items").size()).isLessThanOrEqualTo(80);
    }

    @Test
    void whatIsTooLongCutsTheAskerOff() throws Exception {
        control.send(asked(question(1).setResource("x".repeat(5000))));
        assertThat(control.end()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void anInputThatIsTooLargeCutsTheAskerOff() throws Exception {
        control.send(asked(question(1).setInput(ByteString.copyFrom(new byte[300 * 1024]))));
        assertThat(control.end()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void nothingThatIsNotItsOwnIsWithdrawn() throws Exception {
        control.send(AgentMessage.newBuilder()
                .setPermissionWithdrawn(PermissionWithdrawn.newBuilder().setQuestionId("somebody-else"))
                .build());
        var answer = control.send(asked(question(1))).next().getPermissionAnswered();
        assertThat(answer.getQuestionId()).isEqualTo("q1");
        assertThat(control.isOpen()).isTrue();
    }
}
