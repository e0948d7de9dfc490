package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.relay.v1.Answer;
import io.bivouac.relay.v1.Open;
import io.bivouac.relay.v1.Question;
import io.bivouac.relay.v1.RelayServiceGrpc;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The way to another relay. Thread-safe. */
final class RemoteRelay {
    private final ManagedChannel channel;
    private final RelayServiceGrpc.RelayServiceStub stub;
    private final RelayServiceGrpc.RelayServiceBlockingStub asking;
    private final Set<CommandStream> streams = ConcurrentHashMap.newKeySet();

    RemoteRelay(ManagedChannel channel, String token) {
        this.channel = channel;
        var headers = new Metadata();
        headers.put(RelayPass.HEADER, token);
        var pass = MetadataUtils.newAttachHeadersInterceptor(headers);
        stub = RelayServiceGrpc.newStub(channel).withInterceptors(pass);
        asking = RelayServiceGrpc.newBlockingStub(channel).withInterceptors(pass);
    }

    CommandStream reach(Open order, ExpectedOutput expected, ByteString input, CommandListener listener) {
        if (streams.size() >= Bounds.READERS) {
            throw new BivouacException(
                    ErrorCode.COMMAND_LIMIT_EXCEEDED,
                    "Another relay serves " + Bounds.READERS + " readers from here, which is the limit.");
        }
        var stream =
                new CommandStream(CommandStream.Reader.elsewhere(streams::remove), expected, input, listener, null);
        streams.add(stream);
        var call = new RemoteCall(stream);
        stub.reach(call);
        call.open(order);
        return stream;
    }

    Answer ask(Question question) {
        try {
            return asking.withDeadlineAfter(Bounds.ANSWER_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .ask(question);
        } catch (StatusRuntimeException failed) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE, "The relay of the sandbox's agent did not answer; try again.", failed);
        }
    }

    void tick(long now) {
        streams.forEach(stream -> stream.tick(now));
    }

    boolean isIdle() {
        return streams.isEmpty();
    }

    void close() {
        channel.shutdownNow();
    }
}
