package io.bivouac.agentlink;

import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.relay.v1.Answer;
import io.bivouac.relay.v1.ForwardDown;
import io.bivouac.relay.v1.ForwardUp;
import io.bivouac.relay.v1.Question;
import io.bivouac.relay.v1.RelayServiceGrpc;
import io.bivouac.relay.v1.Reported;
import io.bivouac.relay.v1.Violation;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;

/** Where other relays reach the agents that are connected here. */
@Singleton
final class ForwardDoor extends RelayServiceGrpc.RelayServiceImplBase {
    private final AgentConnections connections;

    ForwardDoor(AgentConnections connections) {
        this.connections = connections;
    }

    @Override
    public StreamObserver<ForwardDown> forward(StreamObserver<ForwardUp> up) {
        return new ForwardingCall((ServerCallStreamObserver<ForwardUp>) up, connections);
    }

    @Override
    public void ask(Question question, StreamObserver<Answer> asker) {
        // The agent's answer takes a while; the network's thread has none.
        Thread.ofVirtual().name("asked").start(() -> {
            try {
                asker.onNext(Answer.newBuilder().setAnswer(answer(question)).build());
                asker.onCompleted();
            } catch (BivouacException refused) {
                asker.onError(
                        Status.UNAVAILABLE.withDescription(refused.getMessage()).asRuntimeException());
            } catch (IllegalArgumentException noQuestion) {
                asker.onError(Status.INVALID_ARGUMENT
                        .withDescription(noQuestion.getMessage())
                        .asRuntimeException());
            }
        });
    }

    @Override
    public void report(Violation violation, StreamObserver<Reported> reporter) {
        try {
            connections
                    .find(new SandboxId(violation.getSandboxId()))
                    .ifPresent(connection -> connection.violated(violation.getRule()));
            reporter.onNext(Reported.getDefaultInstance());
            reporter.onCompleted();
        } catch (IllegalArgumentException malformed) {
            reporter.onError(Status.INVALID_ARGUMENT
                    .withDescription(malformed.getMessage())
                    .asRuntimeException());
        }
    }

    private AgentMessage answer(Question question) {
        return connections.awaitHere(new SandboxId(question.getSandboxId())).ask(question.getQuestion());
    }
}
