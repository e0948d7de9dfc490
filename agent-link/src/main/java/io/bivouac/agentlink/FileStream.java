package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.FileDown;
import io.bivouac.agent.v1.FileUp;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.micronaut.core.annotation.Nullable;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One operation on the files of a sandbox. Nothing comes that was not requested, so a reader that stops asking holds back
 * its own operation and nobody else. Thread-safe.
 */
public final class FileStream implements OrderedStream<FileUp, FileDown> {
    /** The most that {@link #send} takes. */
    public static final int LARGEST_PIECE = Bounds.LARGEST_FILE_PIECE;

    /** It becomes a header. */
    private static final Pattern VERSION = Pattern.compile("[0-9a-f.-]{0,128}");

    private final String id;
    private final FileListener listener;
    private final Consumer<FileStream> forget;
    private @Nullable CallStreamObserver<FileDown> call;

    /** Messages that were requested before the agent had opened the call. */
    private int owed;

    private boolean answered;
    private boolean stopped;
    private long deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();

    FileStream(String id, FileListener listener, Consumer<FileStream> forget) {
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

    /** Whether contents are taken right now; the listener hears when they are again. */
    public synchronized boolean isReady() {
        return call != null && !answered && !stopped && call.isReady();
    }

    /** Contents, which are dropped when the operation is over already. */
    public synchronized void send(ByteString data) {
        if (call != null && !answered && !stopped) {
            call.onNext(FileDown.newBuilder().setData(data).build());
        }
    }

    /** The contents are complete. */
    public synchronized void end() {
        if (call != null && !answered && !stopped) {
            call.onNext(FileDown.newBuilder().setEnd(true).build());
        }
    }

    /** Leaves it: the agent undoes what is not complete. The listener hears nothing more. */
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

    private static void sayFarewell(CallStreamObserver<FileDown> open) {
        open.onNext(FileDown.newBuilder().setStop(true).build());
        // An agent that is blocked in sending sees no order: what it still sends is taken and dropped.
        open.request(1);
    }

    @Override
    public void opened(CallStreamObserver<FileDown> open, FileUp first) {
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
        listener.ready(this);
    }

    @Override
    public void ready() {
        if (isReady()) {
            listener.ready(this);
        }
    }

    @Override
    public boolean receive(CallStreamObserver<FileDown> from, FileUp message) {
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

    private boolean tell(FileUp message) {
        switch (message.getMessageCase()) {
            case ENTRY -> listener.entry(message.getEntry());
            case ENTRIES -> listener.entries(message.getEntries().getEntriesList());
            case DATA -> listener.data(message.getData());
            case EVENTS -> listener.events(message.getEvents().getEventsList());
            case DONE -> {
                listener.done(message.getDone());
                finish();
            }
            case FAILURE -> {
                var failure = message.getFailure();
                var text = AgentText.clean(failure.getMessage(), Bounds.FAILURE_TEXT);
                listener.failed(failure.getKind(), text, failure.getSize());
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

    private static boolean isSane(FileUp message) {
        return switch (message.getMessageCase()) {
            case DATA -> !message.getData().isEmpty() && message.getData().size() <= Bounds.LARGEST_FILE_PIECE;
            case ENTRIES -> message.getEntries().getEntriesCount() <= Bounds.FILE_ITEMS;
            case EVENTS -> message.getEvents().getEventsCount() <= Bounds.FILE_ITEMS;
            case ENTRY -> VERSION.matcher(message.getEntry().getVersion()).matches();
            case DONE ->
                VERSION.matcher(message.getDone().getEntry().getVersion()).matches();
            case FAILURE -> true;
            case OPENED, MESSAGE_NOT_SET -> false;
        };
    }

    @Override
    public void halfClosed(CallStreamObserver<FileDown> from) {
        synchronized (this) {
            from.onCompleted();
            call = null;
        }
        over("The sandbox's agent ended the operation without an answer.");
    }

    @Override
    public void interrupted(@Nullable CallStreamObserver<FileDown> from, String why) {
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
