package io.bivouac.sessions.fuzz;

import io.bivouac.agentlink.testing.FrameMaker;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RawSocket;
import io.bivouac.agentlink.testing.Socket;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/** One client, from its first word to its last, which may be cut short at any moment. */
final class HostileClient {
    private static final int MOST_FRAMES = 60;
    private static final List<String> OFFSETS = List.of("0", "1", "5", "9223372036854775807", "-1", "x");

    private final Http http;
    private final String path;
    private final RandomGenerator random;
    private volatile RawSocket socket;
    private volatile boolean cut;

    HostileClient(Http http, String path, RandomGenerator random) {
        this.http = http;
        this.path = path;
        this.random = random;
    }

    /** Until it has said all, or was cut. */
    void run() {
        try {
            boolean binary = random.nextBoolean();
            boolean compresses = random.nextInt(4) == 0;
            socket = RawSocket.ask(http, path + query(), headers(binary, compresses));
            if (cut) {
                socket.reset();
            }
            // Some do not wait for the answer, and some never read anything.
            boolean hasty = random.nextInt(8) == 0;
            if (!hasty && !socket.answer().startsWith("HTTP/1.1 101")) {
                return;
            }
            if (random.nextInt(4) != 0) {
                Thread.ofVirtual().start(this::readAll);
            }
            talk(binary, compresses);
            leave();
        } catch (IOException over) {
            // The server has had enough of it, or it was cut.
        }
    }

    private void talk(boolean binary, boolean compresses) throws IOException {
        var frames = new FrameMaker(random);
        var wire = new WireMaker(random, compresses);
        for (int i = random.nextInt(MOST_FRAMES); i > 0; i--) {
            boolean fits = random.nextInt(20) != 0;
            socket.write(wire.message(binary != fits, binary == fits ? frames.binary() : frames.json()));
        }
    }

    private void leave() throws IOException {
        switch (random.nextInt(3)) {
            case 0 -> socket.reset();
            case 1 -> {
                socket.write(new WireMaker(random, false).goodbye());
                socket.close();
            }
            default -> socket.close();
        }
    }

    /** As a cable that is pulled. */
    void cut() {
        cut = true;
        try {
            if (socket != null) {
                socket.reset();
            }
        } catch (IOException closed) {
            // By itself, just now.
        }
    }

    private void readAll() {
        try {
            socket.skipAll();
        } catch (IOException over) {
            // So is this.
        }
    }

    private String query() {
        var query = new StringBuilder(path.contains("?") ? "" : "?tty=true");
        if (random.nextInt(3) == 0) {
            query.append("&source=s").append(random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            query.append("&from=").append(OFFSETS.get(random.nextInt(OFFSETS.size())));
        }
        if (random.nextInt(3) == 0) {
            query.append("&credit=").append(OFFSETS.get(random.nextInt(OFFSETS.size())));
        }
        if (random.nextInt(4) == 0) {
            query.append("&role=")
                    .append(List.of("driver", "viewer", "approver", "king").get(random.nextInt(4)));
        }
        return query.toString();
    }

    private static String headers(boolean binary, boolean compresses) {
        return (binary ? "Sec-WebSocket-Protocol: " + Socket.BINARY + "\r\n" : "")
                + (compresses ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : "");
    }
}
