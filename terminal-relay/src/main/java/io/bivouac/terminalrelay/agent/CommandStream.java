package io.bivouac.terminalrelay.agent;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.agent.v1.Stream;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * One reader of one command. Nothing comes that was not requested, so a reader that stops asking holds back
 * its own command and nobody else. Thread-safe.
 */
public final class CommandStream {
    private final Consumer<CommandStream> owner;
    private final String readerId;
    private final CommandListener listener;
    private final ExpectedOutput expected;
    private final InputPump input;
    private @Nullable CallStreamObserver<ProcessDown> call;
    private int wanted;
    private boolean finished;
    private @Nullable ProcessDown farewell;
    private long deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();
    private long giveUpAt = Long.MAX_VALUE;

    CommandStream(
            Consumer<CommandStream> owner,
            String readerId,
            ExpectedOutput expected,
            ByteString input,
            CommandListener listener) {
        this.owner = owner;
        this.readerId = readerId;
        this.expected = expected;
        this.listener = listener;
        this.input = new InputPump(input);
    }

    String readerId() {
        return readerId;
    }

    /** Asks for one more message. */
    public synchronized void request() {
        if (call == null) {
            wanted++;
        } else {
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

    /** The agent has opened its side. */
    void opened(CallStreamObserver<ProcessDown> open, ProcessOpened answer) {
        synchronized (this) {
            call = open;
            if (farewell != null) {
                sayFarewell(open);
                return;
            }
            deadline = Long.MAX_VALUE;
            input.pump(open);
        }
        if (listener instanceof TerminalListener terminal) {
            terminal.opened(this, answer);
        } else {
            listener.opened(this, answer.getPid());
        }
        synchronized (this) {
            if (wanted > 0) {
                open.request(wanted);
                wanted = 0;
            }
        }
    }

    void readyForInput() {
        synchronized (this) {
            if (call == null || finished) {
                return;
            }
            input.pump(call);
        }
        if (listener instanceof TerminalListener terminal) {
            terminal.readyForInput();
        }
    }

    /** False when no agent of ours would say this. */
    boolean receive(ProcessUp message) {
        synchronized (this) {
            if (farewell != null) {
                if (call != null) {
                    call.request(1);
                }
                return true;
            }
            if (finished) {
                return false;
            }
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
                    var failure = message.getFailure();
                    listener.failed(failure.getKind(), AgentText.clean(failure.getMessage(), Bounds.FAILURE_TEXT));
                }
                yield true;
            }
            case SCREEN, INPUT_APPLIED, RESIZED ->
                listener instanceof TerminalListener terminal && receive(message, terminal);
            case OPENED, MESSAGE_NOT_SET -> false;
        };
    }

    private boolean receive(ProcessUp message, TerminalListener terminal) {
        if (message.hasScreen()) {
            var screen = message.getScreen();
            if (!expected.accepts(screen)) {
                return false;
            }
            terminal.screen(screen);
        } else if (message.hasInputApplied()) {
            terminal.inputApplied(message.getInputApplied().getSequence());
        } else {
            terminal.resized(
                    message.getResized().getColumns(), message.getResized().getRows());
        }
        return true;
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
    void halfClosed() {
        lost("The agent ended the command's stream before the command's end.");
        synchronized (this) {
            if (call != null) {
                call.onCompleted();
                call = null;
            }
        }
        owner.accept(this);
    }

    /** The stream broke, or never came. */
    void broke(String why) {
        owner.accept(this);
        synchronized (this) {
            if (call != null) {
                call.onError(
                        Status.CANCELLED.withDescription("the reader is gone").asRuntimeException());
                call = null;
            }
        }
        lost(why);
    }

    private void lost(String why) {
        synchronized (this) {
            if (finished) {
                return;
            }
            finished = true;
        }
        listener.lost(why);
    }

    void tick(long now) {
        boolean over;
        synchronized (this) {
            over = now > deadline || now > giveUpAt;
        }
        if (over) {
            broke("The agent did not answer in time.");
        }
    }
}
