package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.micronaut.core.annotation.Nullable;
import java.util.function.Consumer;

/**
 * One connection to a port of a sandbox, for callers that never wait, such as event loops: bytes come when they were
 * asked for, and are written while the agent takes them. {@link CarriedStream} is the same for callers that wait.
 * Thread-safe; the listener is called on network threads and must return at once.
 */
public final class PortStream implements OrderedStream<CarriedUp, CarriedDown> {
    /** The most that one {@link #write} takes. */
    public static final int LARGEST_WRITE = 64 * 1024;

    /** Hears of the program's side of the connection. */
    public interface Listener {
        /** @param refused whether the agent says that it could not connect; {@link #failed} follows with the reason */
        void opened(PortStream stream, boolean refused);

        void data(ByteString bytes);

        /** The program has sent all. */
        void ended();

        /** The connection is over, or was never made; the last call. */
        void failed(String why);

        /** The agent takes more. */
        void writable();
    }

    private final String id;
    private final Listener listener;
    private final Consumer<PortStream> forget;
    private final long deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();
    private @Nullable CallStreamObserver<CarriedDown> call;
    private boolean opened;
    private boolean programEnded;
    private boolean over;

    /** @param forget told when it is over, once or more */
    PortStream(String id, Listener listener, Consumer<PortStream> forget) {
        this.id = id;
        this.listener = listener;
        this.forget = forget;
    }

    @Override
    public String callId() {
        return id;
    }

    /** Asks for so many more pieces of the program's bytes. */
    public synchronized void request(int pieces) {
        if (call != null && !over) {
            call.request(pieces);
        }
    }

    /** Whether the agent takes more; when it did not, {@link Listener#writable} tells when it does. */
    public synchronized boolean isReady() {
        return call != null && !over && call.isReady();
    }

    public void write(ByteString data) {
        send(CarriedDown.newBuilder().setData(data).build());
    }

    /** Nothing more will be written. */
    public void end() {
        send(CarriedDown.newBuilder().setEnd(true).build());
    }

    private synchronized void send(CarriedDown message) {
        if (call != null && !over) {
            call.onNext(message);
        }
    }

    /** Ends the connection at both sides, whatever was still on its way. */
    public void close() {
        forget.accept(this);
        synchronized (this) {
            if (!over && call != null) {
                if (programEnded) {
                    call.onCompleted();
                } else {
                    cancel(call);
                }
            }
            over = true;
            call = null;
        }
    }

    private static void cancel(CallStreamObserver<CarriedDown> open) {
        open.onError(Status.CANCELLED.withDescription("closed").asRuntimeException());
    }

    // ---- the agent's side -------------------------------------------------------------------------------

    @Override
    public void opened(CallStreamObserver<CarriedDown> open, CarriedUp first) {
        synchronized (this) {
            if (over) {
                cancel(open);
                return;
            }
            call = open;
            opened = true;
        }
        listener.opened(this, first.getOpened().getRefused());
    }

    @Override
    public void ready() {
        listener.writable();
    }

    @Override
    public boolean receive(CallStreamObserver<CarriedDown> from, CarriedUp message) {
        return switch (message.getMessageCase()) {
            case DATA -> receive(message.getData());
            case FAILURE -> {
                fail(AgentText.clean(message.getFailure().getMessage(), Bounds.FAILURE_TEXT));
                yield true;
            }
            case OPENED, MESSAGE_NOT_SET -> false;
        };
    }

    private boolean receive(ByteString data) {
        synchronized (this) {
            if (over) {
                return true;
            }
            if (programEnded || data.isEmpty() || data.size() > Bounds.LARGEST_OUTPUT) {
                return false;
            }
        }
        listener.data(data);
        return true;
    }

    @Override
    public void halfClosed(CallStreamObserver<CarriedDown> from) {
        synchronized (this) {
            if (over || programEnded) {
                return;
            }
            programEnded = true;
        }
        listener.ended();
    }

    @Override
    public void interrupted(@Nullable CallStreamObserver<CarriedDown> from, String why) {
        forget.accept(this);
        fail(why);
    }

    @Override
    public void tick(long now) {
        boolean late;
        synchronized (this) {
            late = !opened && !over && now > deadline;
        }
        if (late) {
            forget.accept(this);
            fail("The sandbox's agent did not answer in time.");
        }
    }

    private void fail(String why) {
        synchronized (this) {
            if (over) {
                return;
            }
            if (call != null) {
                cancel(call);
            }
            over = true;
            call = null;
        }
        forget.accept(this);
        listener.failed(why);
    }
}
