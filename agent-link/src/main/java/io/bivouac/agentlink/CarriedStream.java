package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One connection of a program in a sandbox, carried by its agent: to a port there, or out of it. Its methods wait, so
 * they belong on virtual threads. At most one message of the agent is here at any time: the next is asked for when this
 * one was taken. Thread-safe.
 */
public final class CarriedStream implements OrderedStream<CarriedUp, CarriedDown>, AutoCloseable {
    private final String id;
    private final Consumer<CarriedStream> forget;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private @Nullable CallStreamObserver<CarriedDown> call;
    private @Nullable ByteString arrived;
    private @Nullable String failure;
    private boolean programEnded;
    private boolean closed;

    /** @param forget told when it is over, once or more */
    CarriedStream(String id, Consumer<CarriedStream> forget) {
        this.id = id;
        this.forget = forget;
    }

    @Override
    public String callId() {
        return id;
    }

    /** Waits for the first sign of the program: its bytes, its end, or a while in which it did not refuse. */
    public void awaitOpen() throws IOException {
        holding(() -> {
            if (!await(() -> call != null || over(), Bounds.OPEN_WAIT.toNanos())) {
                failure = "The sandbox's agent did not answer in time.";
            }
            return check();
        });
    }

    /** The next bytes; null when the program has sent all. */
    @Nullable public ByteString read() throws IOException {
        return read(Long.MAX_VALUE);
    }

    /** The same; an {@link InterruptedIOException} when nothing comes for so long. */
    @Nullable public ByteString read(Duration atMost) throws IOException {
        return read(atMost.toNanos());
    }

    private @Nullable ByteString read(long nanos) throws IOException {
        return holding(() -> {
            if (!await(() -> arrived != null || programEnded || over(), nanos)) {
                throw new InterruptedIOException("nothing came in time");
            }
            check();
            var taken = arrived;
            arrived = null;
            if (taken != null && call != null) {
                call.request(1);
            }
            return taken;
        });
    }

    /** At most {@link #LARGEST_WRITE} bytes, as soon as the agent takes more. */
    public void write(ByteString data) throws IOException {
        send(CarriedDown.newBuilder().setData(data).build());
    }

    public static final int LARGEST_WRITE = 32 * 1024;

    /** Nothing more will be written. */
    public void end() throws IOException {
        send(CarriedDown.newBuilder().setEnd(true).build());
    }

    private void send(CarriedDown message) throws IOException {
        holding(() -> {
            await(() -> over() || (call != null && call.isReady()), Long.MAX_VALUE);
            check();
            call.onNext(message);
            return null;
        });
    }

    /** Ends the connection at both sides, whatever was still on its way. */
    @Override
    public void close() {
        forget.accept(this);
        lock.lock();
        try {
            closed = true;
            arrived = null;
            if (call != null) {
                if (programEnded && failure == null) {
                    call.onCompleted();
                } else {
                    call.onError(Status.CANCELLED.withDescription("closed").asRuntimeException());
                }
                call = null;
            }
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- the agent's side -------------------------------------------------------------------------------

    @Override
    public void opened(CallStreamObserver<CarriedDown> open, CarriedUp first) {
        opened(open);
    }

    void opened(CallStreamObserver<CarriedDown> open) {
        lock.lock();
        try {
            if (closed) {
                open.onError(Status.CANCELLED.withDescription("closed").asRuntimeException());
                return;
            }
            call = open;
            open.request(1);
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ready() {
        lock.lock();
        try {
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean receive(CallStreamObserver<CarriedDown> from, CarriedUp message) {
        return receive(message);
    }

    /** False when no agent of ours would say this. */
    boolean receive(CarriedUp message) {
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            switch (message.getMessageCase()) {
                case DATA -> {
                    int size = message.getData().size();
                    if (arrived != null || programEnded || size == 0 || size > Bounds.LARGEST_OUTPUT) {
                        return false;
                    }
                    arrived = message.getData();
                }
                case FAILURE -> failure = AgentText.clean(message.getFailure().getMessage(), Bounds.FAILURE_TEXT);
                case OPENED, MESSAGE_NOT_SET -> {
                    return false;
                }
            }
            news.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void halfClosed(CallStreamObserver<CarriedDown> from) {
        programEnded();
    }

    void programEnded() {
        lock.lock();
        try {
            programEnded = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void interrupted(@Nullable CallStreamObserver<CarriedDown> from, String why) {
        broke(why);
    }

    /** The agent or the way to it is gone. */
    void broke() {
        broke(AgentConnection.BROKE);
    }

    private void broke(String why) {
        forget.accept(this);
        lock.lock();
        try {
            call = null;
            if (failure == null) {
                failure = why;
            }
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- waiting ----------------------------------------------------------------------------------------

    private boolean over() {
        return closed || failure != null;
    }

    private interface Action<T> {
        T run() throws IOException, InterruptedException;
    }

    private <T> T holding(Action<T> action) throws IOException {
        lock.lock();
        try {
            return action.run();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("The relay is stopping.", stopped);
        } finally {
            lock.unlock();
        }
    }

    private boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
        long left = nanos;
        while (!condition.getAsBoolean()) {
            if (left <= 0) {
                return false;
            }
            left = left == Long.MAX_VALUE ? forEver() : news.awaitNanos(left);
        }
        return true;
    }

    private long forEver() throws InterruptedException {
        // Now and then, so that a signal that never came costs a moment and not the connection.
        news.await(1, TimeUnit.MINUTES);
        return Long.MAX_VALUE;
    }

    private @Nullable Void check() throws IOException {
        // What the program said before it broke off is still worth reading.
        if (closed || (failure != null && arrived == null)) {
            throw new IOException(failure == null ? "The connection was closed." : failure);
        }
        return null;
    }
}
