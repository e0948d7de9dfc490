package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.agent.v1.RecordingPart;
import io.bivouac.agent.v1.Stream;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/**
 * One reader of one command. Nothing comes that was not requested, so a reader that stops asking holds back
 * its own command and nobody else. When the agent's connection breaks, it reads on over the next one. Thread-safe.
 */
public final class CommandStream implements OrderedStream<ProcessUp, ProcessDown> {
    /** What may have come of a stream without being asked for. */
    public static final int WINDOW = Bounds.STREAM_WINDOW;

    /** A connection that breaks again and again is no connection. */
    private static final int MOST_RESUMPTIONS = 100;

    private final CommandListener listener;
    private final ExpectedOutput expected;
    private final InputPump input;
    private final @Nullable Resumption resumption;
    private volatile Reader reader;
    private @Nullable CallStreamObserver<ProcessDown> call;

    /** Messages that were requested and have not come. */
    private int owed;

    private int resumptions;
    private boolean waiting;
    private boolean announced;
    private boolean finished;
    private @Nullable ProcessDown farewell;
    private @Nullable String interruption;
    private long deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();
    private long giveUpAt = Long.MAX_VALUE;

    /** @param resumption null for one that cannot be resumed, because its input could not be sent twice, say */
    CommandStream(
            Reader reader,
            ExpectedOutput expected,
            ByteString input,
            CommandListener listener,
            @Nullable Resumption resumption) {
        this.reader = reader;
        this.expected = expected;
        this.listener = listener;
        this.input = new InputPump(input);
        this.resumption = resumption;
    }

    /** Who reads what, of which agent. */
    record Reader(OrderingAgent agent, String id, String commandId) {
        void forget(CommandStream stream) {
            agent.forget(CallKind.PROCESS, stream);
        }
    }

    @Override
    public String callId() {
        return reader.id();
    }

    /** Asks for one more message. */
    public synchronized void request() {
        owed++;
        if (call != null) {
            call.request(1);
        }
    }

    /** Leaves; the command goes on by its own rules. The listener hears nothing more. */
    public void detach() {
        leave(ProcessDown.newBuilder().setDetach(true).build());
    }

    /** Ends the command. The listener hears nothing more. */
    public void stop() {
        leave(ProcessDown.newBuilder().setStop(true).build());
    }

    /** Sends this unless the agent has to catch up first; the listener then hears when it has. */
    public synchronized boolean trySend(ProcessDown message) {
        if (call == null || finished || !call.isReady()) {
            return false;
        }
        call.onNext(message);
        return true;
    }

    /** However the agent behaves, the listener has heard the end after this time. */
    public synchronized void giveUpAfter(Duration time) {
        giveUpAt = System.nanoTime() + time.toNanos();
    }

    private synchronized void leave(ProcessDown order) {
        if (finished) {
            return;
        }
        finished = true;
        farewell = order;
        deadline = System.nanoTime() + Bounds.FAREWELL_WAIT.toNanos();
        if (call != null) {
            sayFarewell(call);
        }
    }

    private void sayFarewell(CallStreamObserver<ProcessDown> open) {
        open.onNext(farewell);
        // An agent that is blocked in sending sees no order: what it still sends is taken and dropped.
        open.request(1);
    }

    @Override
    public void opened(CallStreamObserver<ProcessDown> open, ProcessUp message) {
        var answer = message.getOpened();
        boolean first;
        int before;
        synchronized (this) {
            call = open;
            if (farewell != null) {
                sayFarewell(open);
                return;
            }
            deadline = Long.MAX_VALUE;
            input.pump(open);
            if (interruption != null && answer.getPid() == 0) {
                // The agent no longer knows the command; the next message says so.
                open.request(1);
                return;
            }
            first = !announced;
            announced = true;
            before = owed;
        }
        if (first) {
            listener.opened(this, answer);
        }
        if (before > 0) {
            open.request(before);
        }
    }

    @Override
    public void ready() {
        synchronized (this) {
            if (call == null || finished) {
                return;
            }
            input.pump(call);
        }
        listener.readyForInput();
    }

    @Override
    public boolean receive(CallStreamObserver<ProcessDown> from, ProcessUp message) {
        synchronized (this) {
            if (from != call) {
                // A call that was given up.
                return true;
            }
            if (farewell != null) {
                call.request(1);
                return true;
            }
            if (finished) {
                return false;
            }
            owed = Math.max(0, owed - 1);
        }
        return switch (message.getMessageCase()) {
            case OUTPUT -> {
                var output = message.getOutput();
                if (!expected.accepts(output)) {
                    yield false;
                }
                listener.output(output.getStream() == Stream.STDERR, output.getOffset(), output.getData());
                yield true;
            }
            case GAP -> {
                var gap = message.getGap();
                if (!expected.accepts(gap)) {
                    yield false;
                }
                listener.gap(gap.getStream() == Stream.STDERR, gap.getFrom(), gap.getTo());
                yield true;
            }
            case EXIT -> {
                if (finish()) {
                    listener.exited(message.getExit());
                }
                yield true;
            }
            case FAILURE -> {
                if (finish()) {
                    failed(message.getFailure());
                }
                yield true;
            }
            case SCREEN -> expected.accepts(message.getScreen()) && listener.screen(message.getScreen());
            case INPUT_APPLIED ->
                listener.inputApplied(message.getInputApplied().getSequence());
            case RESIZED ->
                listener.resized(
                        message.getResized().getColumns(), message.getResized().getRows());
            case SEALED ->
                message.getSealed().getData().size() <= Bounds.LARGEST_SEALED && listener.sealed(message.getSealed());
            case RECORDING_PART ->
                isBounded(message.getRecordingPart()) && listener.recorded(message.getRecordingPart());
            case OPENED, MESSAGE_NOT_SET -> false;
        };
    }

    private static boolean isBounded(RecordingPart part) {
        return part.getData().size() <= Bounds.LARGEST_RECORDING_PART && part.getNextOffset() >= 0;
    }

    private void failed(Failure failure) {
        if (interruption != null && failure.getKind() == Failure.Kind.NO_SUCH_COMMAND) {
            listener.lost(interruption);
        } else {
            listener.failed(failure.getKind(), AgentText.clean(failure.getMessage(), Bounds.FAILURE_TEXT));
        }
    }

    private synchronized boolean finish() {
        if (finished) {
            return false;
        }
        finished = true;
        deadline = System.nanoTime() + Bounds.FAREWELL_WAIT.toNanos();
        if (call != null) {
            // Towards the end of the stream.
            call.request(1);
        }
        return true;
    }

    /** The agent has said all; so have we. */
    @Override
    public void halfClosed(CallStreamObserver<ProcessDown> from) {
        synchronized (this) {
            if (from != call) {
                from.onCompleted();
                return;
            }
        }
        lost("The agent ended the command's stream before the command's end.");
        synchronized (this) {
            if (call != null) {
                call.onCompleted();
                call = null;
            }
        }
        reader.forget(this);
    }

    /** Reads on over the next connection, where that is possible. */
    @Override
    public void interrupted(@Nullable CallStreamObserver<ProcessDown> from, String why) {
        AgentConnection before;
        boolean resumes;
        synchronized (this) {
            if (waiting || (from != null && from != call)) {
                return;
            }
            before = reader.agent().connection();
            resumes = resumption != null
                    && before != null
                    && !finished
                    && !before.isMisbehaving()
                    && resumptions++ < MOST_RESUMPTIONS;
            waiting = resumes;
            if (resumes) {
                cancelCall();
                deadline = Long.MAX_VALUE;
                interruption = why;
            }
        }
        if (resumes) {
            reader.forget(this);
            resumption.begin(this, before, why);
        } else {
            broke(why);
        }
    }

    /** Takes the next connection; gives what it is to be asked, or null when there is nothing more to read for. */
    @Nullable synchronized Attach.Builder moveTo(AgentConnection next, String nextReaderId) {
        if (finished) {
            return null;
        }
        reader = new Reader(next, nextReaderId, reader.commandId());
        waiting = false;
        deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();
        return expected.rest().setCommandId(reader.commandId()).setReaderId(nextReaderId);
    }

    /** The stream broke for good, or never came. */
    void broke(String why) {
        reader.forget(this);
        synchronized (this) {
            cancelCall();
        }
        lost(why);
    }

    private void cancelCall() {
        if (call != null) {
            call.onError(Status.CANCELLED.withDescription("the reader is gone").asRuntimeException());
            call = null;
        }
    }

    void lost(String why) {
        synchronized (this) {
            if (finished) {
                return;
            }
            finished = true;
        }
        listener.lost(why);
    }

    /** Whether nobody waits for anything any more. */
    synchronized boolean isOver() {
        return finished || System.nanoTime() > giveUpAt;
    }

    @Override
    public void tick(long now) {
        boolean over;
        synchronized (this) {
            over = now > deadline || now > giveUpAt;
        }
        if (over) {
            broke("The agent did not answer in time.");
        }
    }
}
