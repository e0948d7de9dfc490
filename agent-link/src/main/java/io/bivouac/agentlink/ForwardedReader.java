package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.Gap;
import io.bivouac.agent.v1.InputApplied;
import io.bivouac.agent.v1.Output;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.agent.v1.RecordingPart;
import io.bivouac.agent.v1.Resized;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agent.v1.Sealed;
import io.bivouac.agent.v1.Stream;
import io.bivouac.relay.v1.Open;
import io.bivouac.relay.v1.ReachDown;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micronaut.core.annotation.Nullable;

/**
 * Carries one reader's messages between an agent that is connected here and the relay that the reader came to. It
 * holds at most one message in each direction; who is slow is waited for. Thread-safe.
 */
final class ForwardedReader implements StreamObserver<ReachDown>, SealedListener, RecordingListener {
    /** Messages that the agent may send ahead. */
    private static final int AHEAD = 4;

    private final ServerCallStreamObserver<ProcessUp> call;
    private final AgentConnections connections;
    private @Nullable CommandStream stream;
    private @Nullable ProcessDown unsent;
    private int unasked;
    private boolean over;

    ForwardedReader(ServerCallStreamObserver<ProcessUp> call, AgentConnections connections) {
        this.call = call;
        this.connections = connections;
        call.disableAutoRequest();
        call.setOnReadyHandler(this::ready);
        call.setOnCancelHandler(this::leave);
        call.request(1);
    }

    @Override
    public synchronized void onNext(ReachDown message) {
        if (over) {
            return;
        }
        if (message.hasOpen() && stream == null) {
            open(message.getOpen());
        } else if (message.hasDown() && stream != null) {
            down(message.getDown());
        } else {
            fail(Status.INVALID_ARGUMENT, "out of order");
        }
    }

    private void open(Open open) {
        try {
            var agent = connections
                    .find(new SandboxId(open.getSandboxId()))
                    .orElseThrow(() -> AgentConnections.notConnected(open.getSandboxId()));
            stream = open.hasRun()
                    ? agent.start(open.getRun().toBuilder(), this)
                    : agent.attach(open.getAttach().toBuilder(), this);
            call.request(1);
        } catch (BivouacException | IllegalArgumentException unreachable) {
            fail(Status.UNAVAILABLE, unreachable.getMessage());
        }
    }

    private void down(ProcessDown order) {
        switch (order.getMessageCase()) {
            case DETACH -> {
                leave();
                call.onCompleted();
            }
            case STOP -> {
                over = true;
                stream.stop();
                call.onCompleted();
            }
            case STDIN, STDIN_END, INPUT, RESIZE, SIGNAL, SEALED, MESSAGE_NOT_SET -> {
                unsent = order;
                readyForInput();
            }
        }
    }

    @Override
    public synchronized void readyForInput() {
        if (!over && unsent != null && stream != null && stream.trySend(unsent)) {
            unsent = null;
            call.request(1);
        }
    }

    private synchronized void ready() {
        while (!over && unasked > 0 && call.isReady()) {
            unasked--;
            stream.request();
        }
    }

    private synchronized void leave() {
        if (!over) {
            over = true;
            if (stream != null) {
                stream.detach();
            }
        }
    }

    private void fail(Status status, String why) {
        over = true;
        call.onError(status.withDescription(why).asRuntimeException());
    }

    private synchronized void up(ProcessUp.Builder message) {
        if (!over) {
            call.onNext(message.build());
            unasked++;
            ready();
        }
    }

    private synchronized void last(ProcessUp.Builder message) {
        if (!over) {
            over = true;
            call.onNext(message.build());
            call.onCompleted();
        }
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        if (!over) {
            stream = open;
            call.onNext(ProcessUp.newBuilder().setOpened(answer).build());
            unasked = AHEAD;
            ready();
            readyForInput();
        }
    }

    @Override
    public void output(boolean stderr, long offset, ByteString data) {
        up(ProcessUp.newBuilder()
                .setOutput(Output.newBuilder()
                        .setStream(stderr ? Stream.STDERR : Stream.STDOUT)
                        .setOffset(offset)
                        .setData(data)));
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        up(ProcessUp.newBuilder()
                .setGap(Gap.newBuilder()
                        .setStream(stderr ? Stream.STDERR : Stream.STDOUT)
                        .setFrom(from)
                        .setTo(to)));
    }

    @Override
    public void screen(Screen screen) {
        up(ProcessUp.newBuilder().setScreen(screen));
    }

    @Override
    public void inputApplied(long sequence) {
        up(ProcessUp.newBuilder().setInputApplied(InputApplied.newBuilder().setSequence(sequence)));
    }

    @Override
    public void resized(int columns, int rows) {
        up(ProcessUp.newBuilder()
                .setResized(Resized.newBuilder().setColumns(columns).setRows(rows)));
    }

    @Override
    public void sealed(Sealed message) {
        up(ProcessUp.newBuilder().setSealed(message));
    }

    @Override
    public void recorded(RecordingPart part) {
        up(ProcessUp.newBuilder().setRecordingPart(part));
    }

    @Override
    public void exited(Exit exit) {
        last(ProcessUp.newBuilder().setExit(exit));
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        last(ProcessUp.newBuilder()
                .setFailure(Failure.newBuilder().setKind(kind).setMessage(message)));
    }

    @Override
    public synchronized void lost(String why) {
        if (!over) {
            fail(Status.UNAVAILABLE, why);
        }
    }

    @Override
    public void onError(Throwable cancelled) {
        leave();
    }

    /** The other relay has nothing more to say, which a reader may well. */
    @Override
    public void onCompleted() {}
}
