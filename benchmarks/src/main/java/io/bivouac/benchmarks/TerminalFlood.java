package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;

/** A file of many megabytes, shown in a terminal. */
record TerminalFlood(TerminalBox box, int megabytes) {
    static final String FILE = "flood";
    private static final byte MARK = 7;

    /** Lines of text, as long as a terminal is wide. */
    private static final String TEXT =
            "The quick brown fox jumps over the lazy dog, again and again, and then it rests";

    void prepare() throws IOException {
        box.run(writing(FILE));
    }

    /** The shell line that makes the file. */
    String writing(String file) {
        return "yes '" + TEXT + "' | head -c " + megabytes + "000000 > " + file;
    }

    /** What the terminal gives for the file: each line's end becomes two characters. */
    private double outputMegabytes() {
        return megabytes * (TEXT.length() + 2.0) / (TEXT.length() + 1);
    }

    private String line() {
        return "read x; exec cat " + FILE;
    }

    /** Megabytes of output a second, through the binary protocol. */
    double binary() throws IOException {
        try (var socket = box.attach(box.pty(line()), "", TerminalSocket.BINARY)) {
            return drain(socket, true) / 1e6;
        }
    }

    private double drain(TerminalSocket socket, boolean whole) throws IOException {
        socket.type(1, (byte) '\n');
        long bytes = 0;
        long begun = 0;
        while (socket.next() && socket.type() != TerminalSocket.EXIT) {
            if (socket.type() == TerminalSocket.OUTPUT) {
                begun = begun == 0 ? System.nanoTime() : begun;
                bytes += socket.outputLength();
            }
        }
        if (whole && bytes < (long) (outputMegabytes() * 1e6)) {
            throw new IllegalStateException("expected " + outputMegabytes() + " MB, seen " + bytes + " bytes");
        }
        return bytes / ((System.nanoTime() - begun) / 1e9);
    }

    /** Through a JSON door; its frames are counted by their share of the output. */
    double json(String path, String newline) throws IOException {
        try (var socket = box.server().terminal(path, TerminalSocket.JSON)) {
            socket.say("{\"type\":\"input\",\"data\":\"" + newline + "\"}");
            long begun = 0;
            while (socket.next() && !socket.textIs("{\"type\":\"exit\"")) {
                begun = begun == 0 ? System.nanoTime() : begun;
                if (socket.textIs("{\"type\":\"error\"")) {
                    throw new IllegalStateException(socket.text());
                }
            }
            return outputMegabytes() / ((System.nanoTime() - begun) / 1e9);
        }
    }

    double ptyDoor() throws IOException {
        return json(box.path("/pty/" + box.pty(line()) + "/ws"), "Cg==");
    }

    double execDoor() throws IOException {
        var command =
                "?command=sh&command=-c&command=" + line().replace(" ", "%20").replace(";", "%3B");
        return json(box.path("/exec/interactive" + command), "\\n");
    }

    /** A fast client's rate while another one takes a kilobyte a second. */
    double besideSlow() throws IOException {
        var pty = box.pty(line());
        try (var slow = box.attach(pty, "?role=viewer&from=0", TerminalSocket.BINARY);
                var fast = box.attach(pty, "?from=0", TerminalSocket.BINARY)) {
            var dawdle = Thread.ofVirtual().start(() -> dawdle(slow));
            double rate = drain(fast, true) / 1e6;
            dawdle.interrupt();
            return rate;
        }
    }

    /** Takes a kilobyte a second. */
    static void dawdle(TerminalSocket slow) {
        try {
            while (slow.next()) {
                Thread.sleep(Math.max(1, slow.textLength()));
            }
        } catch (IOException | InterruptedException enough) {
            // The fast one is done.
        }
    }

    /** Keys typed while the same terminal floods, each seen when its echo comes. */
    Latencies echoes(int count) throws IOException, InterruptedException {
        var line = "stty -icanon -echo; (while :; do cat " + FILE + "; done) & exec cat";
        try (var socket = box.attach(box.pty(line), "", TerminalSocket.BINARY)) {
            var nanos = new ArrayList<Long>();
            long typed = 0;
            long typedAt = 0;
            long nextAt = System.nanoTime() + 1_000_000_000L;
            long begun = nextAt;
            while (nanos.size() < count && socket.next()) {
                long now = System.nanoTime();
                if (typedAt != 0 && socket.type() == TerminalSocket.OUTPUT && socket.outputContains(MARK)) {
                    nanos.add(now - typedAt);
                    typedAt = 0;
                    nextAt = now + 20_000_000L;
                } else if (typedAt == 0 && now > nextAt) {
                    socket.type(++typed, MARK);
                    typedAt = now;
                }
            }
            return Latencies.of(nanos, System.nanoTime() - begun);
        }
    }
}
