package io.bivouac.agentlink;

import io.bivouac.agent.v1.CommandList;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.relay.v1.Answer;
import io.bivouac.relay.v1.Question;
import io.bivouac.relay.v1.ReachDown;
import io.bivouac.relay.v1.RelayServiceGrpc;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Where other relays reach the agents that are connected here. */
@Singleton
final class ForwardDoor extends RelayServiceGrpc.RelayServiceImplBase {
    private final AgentConnections connections;

    ForwardDoor(AgentConnections connections) {
        this.connections = connections;
    }

    @Override
    public StreamObserver<ReachDown> reach(StreamObserver<ProcessUp> up) {
        return new ForwardedReader((ServerCallStreamObserver<ProcessUp>) up, connections);
    }

    @Override
    public void ask(Question question, StreamObserver<Answer> asker) {
        // The agent's answer takes a while; the network's thread has none.
        Thread.ofVirtual().name("asked").start(() -> {
            try {
                asker.onNext(answer(question));
                asker.onCompleted();
            } catch (BivouacException refused) {
                asker.onError(
                        Status.UNAVAILABLE.withDescription(refused.getMessage()).asRuntimeException());
            }
        });
    }

    private Answer answer(Question question) {
        var agent = connections
                .find(new SandboxId(question.getSandboxId()))
                .orElseThrow(() -> AgentConnections.notConnected(question.getSandboxId()));
        if (question.hasKill()) {
            var kill = question.getKill();
            return Answer.newBuilder()
                    .setRequestResult(agent.kill(
                            kill.getCommandId(), kill.getSignal(), Duration.ofMillis(kill.getKillAfterMillis())))
                    .build();
        }
        return Answer.newBuilder()
                .setList(CommandList.newBuilder().addAllCommands(agent.commands()))
                .build();
    }
}
