package io.bivouac.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What goes on beside a measurement until this is closed. Used by one thread. */
final class Background implements AutoCloseable {
    private static final long PAUSE_AFTER_FAILURE_NANOS = 1_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private final List<Socket> held = new ArrayList<>();
    private volatile boolean over;

    void repeat(Load.Client client) {
        repeat(0, client);
    }

    /** What fails is tried again: to be refused is part of an attack. */
    void repeat(long pauseNanos, Load.Client client) {
        threads.add(Thread.ofVirtual().start(() -> {
            while (!over) {
                try {
                    client.act();
                    LockSupport.parkNanos(pauseNanos);
                } catch (Exception refused) {
                    LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
                }
            }
        }));
    }

    /** Sends this, and neither reads nor closes; false when even that was refused. */
    boolean hold(int port, String request) {
        try {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            held.add(socket);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        over = true;
        for (var thread : threads) {
            thread.join();
        }
        for (var socket : held) {
            socket.close();
        }
    }
}
