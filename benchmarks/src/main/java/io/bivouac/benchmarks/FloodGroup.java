package io.bivouac.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** What those who have no key can do to the server: connections that wait, bodies that inflate, handshakes. */
final class FloodGroup implements Group {
    private static final int IDLE = 20_000;
    private static final int HANDSHAKES_A_SECOND = 5_000;
    private static final int SHAKERS = 8;
    private static final int BOMBERS = 4;
    private static final int BOMB_BYTES = 64 << 20;
    private static final int ASKED = 1_000;
    private static final Duration APART = Duration.ofMillis(10);
    private static final double MOST_MILLIS = 100;

    @Override
    public String name() {
        return "flood";
    }

    @Override
    public String about() {
        return "/health while strangers hold 20,000 connections, send gzip bombs, or connect 5,000 times a second";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("flood: p50 / p99 of /health, asked every 10 ms, beside strangers without a key");
        try (var folder = new WorkFolder("flood");
                var server = Server.start(folder.path().resolve("data"))) {
            var calm = health(server, scale);
            try (var flood = new Background()) {
                int held = 0;
                for (int i = 0; i < scale.of(IDLE); i++) {
                    held += flood.hold(server.port(), "GET /api/v1/sandboxes HTTP/1.1\r\nHost: 127.0.0.1\r\n") ? 1 : 0;
                }
                row(table, held + " connections with half a request", server, health(server, scale), calm);
            }
            try (var flood = new Background()) {
                var bomb = bomb();
                for (int i = 0; i < BOMBERS; i++) {
                    flood.repeat(() -> send(server.port(), bomb));
                }
                row(table, BOMBERS + " senders of gzip bombs", server, health(server, scale), calm);
            }
            try (var flood = new Background()) {
                var made = new AtomicInteger();
                long pause = Duration.ofSeconds(SHAKERS).toNanos() / HANDSHAKES_A_SECOND;
                for (int i = 0; i < SHAKERS; i++) {
                    flood.repeat(pause, () -> {
                        new Socket(InetAddress.getLoopbackAddress(), server.port()).close();
                        made.incrementAndGet();
                    });
                }
                long begun = System.nanoTime();
                var seen = health(server, scale);
                long rate = Math.round(made.get() * 1e9 / (System.nanoTime() - begun));
                row(table, rate + " handshakes a second", server, seen, calm);
            }
        }
        return table;
    }

    private static void row(Table table, String what, Server server, Latencies seen, Latencies calm) {
        table.add(
                what,
                seen.figure(),
                calm.figure().named("without"),
                server.isAlive() ? "lives" : "ENDED",
                new Goal("p99 ≤ 100 ms", server.isAlive() && seen.p99() <= MOST_MILLIS));
    }

    /** Each time over a connection of its own, as a probe would. */
    private static Latencies health(Server server, Scale scale) throws Exception {
        return Load.paced(scale.of(ASKED), APART, () -> {
            try (var connection = server.connect()) {
                connection.get("/health").mustBe(200);
            }
        });
    }

    private static byte[] bomb() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            var zeros = new byte[1 << 20];
            for (int i = 0; i < BOMB_BYTES; i += zeros.length) {
                gzip.write(zeros);
            }
        }
        var head = "POST /api/v1/sandboxes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Content-Encoding: gzip\r\nContent-Length: " + packed.size() + "\r\n\r\n";
        var whole = new ByteArrayOutputStream();
        whole.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        packed.writeTo(whole);
        return whole.toByteArray();
    }

    private static void send(int port, byte[] request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request);
            socket.getInputStream().readNBytes(1);
        }
    }
}
