package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Many terminals at one relay. */
final class TerminalCrowd implements AutoCloseable {
    private static final int IN_ONE_SANDBOX = 100;

    private final List<TerminalSocket> sockets = new ArrayList<>();

    /** Opens so many echoing terminals. */
    static TerminalCrowd open(Server server, Connection connection, int count) throws IOException {
        var crowd = new TerminalCrowd();
        TerminalBox box = null;
        for (int i = 0; i < count; i++) {
            if (i % IN_ONE_SANDBOX == 0) {
                box = new TerminalBox(server, connection, new Sandboxes(connection).createId());
            }
            crowd.sockets.add(box.echoing());
        }
        return crowd;
    }

    /** Each types once a second, for so many seconds. */
    Latencies echoEachSecond(int seconds) throws InterruptedException {
        var nanos = Collections.synchronizedList(new ArrayList<Long>());
        var done = new CountDownLatch(sockets.size());
        long begun = System.nanoTime();
        for (int i = 0; i < sockets.size(); i++) {
            var socket = sockets.get(i);
            long first = begun + 1_000_000_000L * i / sockets.size();
            Thread.ofVirtual().start(() -> {
                try {
                    for (int second = 0; second < seconds; second++) {
                        Thread.sleep(Math.max(0, (first + second * 1_000_000_000L - System.nanoTime()) / 1_000_000));
                        long typedAt = System.nanoTime();
                        socket.type(second + 1, (byte) 'x');
                        while (socket.next() && socket.type() != TerminalSocket.OUTPUT) {}
                        nanos.add(System.nanoTime() - typedAt);
                    }
                } catch (IOException | InterruptedException broken) {
                    broken.printStackTrace();
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        if (nanos.size() != seconds * sockets.size()) {
            throw new IllegalStateException("some terminals broke");
        }
        return Latencies.of(nanos, System.nanoTime() - begun);
    }

    @Override
    public void close() throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
    }
}
