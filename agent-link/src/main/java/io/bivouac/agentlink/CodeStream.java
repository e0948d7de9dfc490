package io.bivouac.agentlink;

import io.bivouac.agent.v1.CodeDown;
import io.bivouac.agent.v1.CodeSession;
import io.bivouac.agent.v1.CodeUp;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.micronaut.core.annotation.Nullable;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One operation on code in a sandbox. Nothing comes that was not requested, so a reader that stops asking holds back
 * its own operation and nobody else. Thread-safe.
 */
public final class CodeStream implements OrderedStream<CodeUp, CodeDown> {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");

    private final String id;
    private final CodeListener listener;
    private final Consumer<CodeStream> forget;
    private @Nullable CallStreamObserver<CodeDown> call;

    /** Messages that were requested before the agent had opened the call. */
    private int owed;

    private boolean answered;
    private boolean stopped;
    private long deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();

    CodeStream(String id, CodeListener listener, Consumer<CodeStream> forget) {
        this.id = id;
        this.listener = listener;
        this.forget = forget;
    }

    @Override
    public String callId() {
        return id;
    }

    /** Asks for one more message. */
    public synchronized void request() {
        if (call == null) {
            owed++;
        } else {
            call.request(1);
        }
    }

    /** Leaves it: code that runs is interrupted. The listener hears nothing more. */
    public synchronized void stop() {
        if (stopped || answered) {
            return;
        }
        stopped = true;
        deadline = System.nanoTime() + Bounds.FAREWELL_WAIT.toNanos();
        if (call != null) {
            sayFarewell(call);
        }
    }

    private static void sayFarewell(CallStreamObserver<CodeDown> open) {
        open.onNext(CodeDown.newBuilder().setStop(true).build());
        // An agent that is blocked in sending sees no order: what it still sends is taken and dropped.
        open.request(1);
    }

    @Override
    public void opened(CallStreamObserver<CodeDown> open, CodeUp first) {
        synchronized (this) {
            call = open;
            if (stopped) {
                sayFarewell(open);
                return;
            }
            deadline = Long.MAX_VALUE;
            if (owed > 0) {
                open.request(owed);
            }
        }
    }

    @Override
    public void ready() {}

    @Override
    public boolean receive(CallStreamObserver<CodeDown> from, CodeUp message) {
        synchronized (this) {
            if (stopped) {
                from.request(1);
                return true;
            }
            if (answered) {
                return false;
            }
            answered = message.hasDone() || message.hasFailure();
        }
        return isSane(message) && tell(message);
    }

    private boolean tell(CodeUp message) {
        switch (message.getMessageCase()) {
            case STARTED -> listener.started(message.getStarted().getSessionId());
            case OUTPUT ->
                listener.output(
                        message.getOutput().getStream() == io.bivouac.agent.v1.Stream.STDERR,
                        message.getOutput().getData());
            case RESULT -> {
                var piece = message.getResult();
                listener.result(piece.getId(), piece.getData(), piece.getLast());
            }
            case ERROR -> {
                var error = message.getError();
                listener.raised(error.getName(), error.getValue(), error.getTraceback());
            }
            case SESSIONS -> listener.sessions(message.getSessions().getSessionsList());
            case DATA -> listener.data(message.getData());
            case DONE -> {
                listener.done(message.getDone());
                finish();
            }
            case FAILURE -> {
                var failure = message.getFailure();
                listener.failed(failure.getKind(), AgentText.clean(failure.getMessage(), Bounds.FAILURE_TEXT));
                finish();
            }
            case OPENED, MESSAGE_NOT_SET -> {
                return false;
            }
        }
        return true;
    }

    /** The agent's end of the call follows its answer. */
    private synchronized void finish() {
        deadline = System.nanoTime() + Bounds.FAREWELL_WAIT.toNanos();
        if (call != null) {
            call.request(1);
        }
    }

    private static boolean isSane(CodeUp message) {
        return switch (message.getMessageCase()) {
            case OUTPUT ->
                !message.getOutput().getData().isEmpty()
                        && message.getOutput().getData().size() <= Bounds.LARGEST_OUTPUT;
            case RESULT ->
                ID.matcher(message.getResult().getId()).matches()
                        && message.getResult().getData().size() <= Bounds.LARGEST_CODE_PIECE;
            case DATA -> !message.getData().isEmpty() && message.getData().size() <= Bounds.LARGEST_CODE_PIECE;
            case ERROR -> message.getError().getSerializedSize() <= Bounds.LARGEST_CODE_PIECE;
            case STARTED -> ID.matcher(message.getStarted().getSessionId()).matches();
            case SESSIONS ->
                message.getSessions().getSessionsCount() <= Bounds.CODE_SESSIONS
                        && message.getSessions().getSessionsList().stream().allMatch(CodeStream::isSane);
            case DONE ->
                !message.getDone().hasSession() || isSane(message.getDone().getSession());
            case FAILURE -> true;
            case OPENED, MESSAGE_NOT_SET -> false;
        };
    }

    private static boolean isSane(CodeSession session) {
        return ID.matcher(session.getId()).matches() && session.getCwd().length() <= Bounds.LONGEST_PATH;
    }

    @Override
    public void halfClosed(CallStreamObserver<CodeDown> from) {
        synchronized (this) {
            from.onCompleted();
            call = null;
        }
        over("The sandbox's agent ended the operation without an answer.");
    }

    @Override
    public void interrupted(@Nullable CallStreamObserver<CodeDown> from, String why) {
        synchronized (this) {
            call = null;
        }
        over(why);
    }

    private void over(String why) {
        forget.accept(this);
        synchronized (this) {
            if (answered || stopped) {
                return;
            }
            answered = true;
        }
        listener.lost(why);
    }

    @Override
    public void tick(long now) {
        synchronized (this) {
            if (now <= deadline) {
                return;
            }
            deadline = Long.MAX_VALUE;
            if (call != null) {
                call.onError(Status.CANCELLED.withDescription("too late").asRuntimeException());
                call = null;
            }
        }
        over("The sandbox's agent did not answer in time.");
    }
}
