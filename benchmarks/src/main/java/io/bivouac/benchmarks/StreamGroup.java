package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.regex.Pattern;

/** A gibibyte of output on its way out of a sandbox. */
final class StreamGroup implements Group {
    private static final int MEBIBYTES = 1024;
    private static final int WARM_UP_MEBIBYTES = 1024;
    private static final double MEGABYTE = 1e6;
    private static final double EVENTS_PER_SECOND = 100;
    private static final double RAW_PER_SECOND = 200;
    /** Until the reader is surely there. */
    private static final int READER_MILLIS = 500;

    private static final Pattern COMMAND = Pattern.compile("cmd-[0-9a-z]{26}");

    @Override
    public String name() {
        return "stream";
    }

    @Override
    public String about() {
        return "a gibibyte of output as events and as raw bytes; beside cat through a pipe on the host";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        long size = (long) scale.of(MEBIBYTES) << 20;
        long warmUp = (long) scale.of(WARM_UP_MEBIBYTES) << 20;
        var table = new Table("stream: %d MiB of output, megabytes (10^6) a second".formatted(size >> 20));
        try (var folder = new WorkFolder("stream");
                var server = Server.start(folder.path().resolve("data"));
                var connection = server.connect()) {
            var output = new OutputOf(server, connection, new Sandboxes(connection).createWide());
            for (var source : Source.values()) {
                double pipe = throughPipe(source.line(size), size);
                output.events(source.line(warmUp), warmUp);
                double events = output.events(source.line(size), size);
                add(
                        table,
                        "server-sent events, " + source.words,
                        events,
                        pipe,
                        source == Source.TEXT ? EVENTS_PER_SECOND : 0);
                output.raw(source.line(warmUp), warmUp);
                double raw = output.raw(source.line(size), size);
                add(table, "raw chunked output, " + source.words, raw, pipe, RAW_PER_SECOND);
            }
        }
        table.note(Sandboxes.WIDE);
        table.note("Warmed up with " + (warmUp >> 20)
                + " MiB each. Every byte is counted by the client; a missing one is an error.");
        table.note("Zeros as events have no goal: JSON writes each as \\u0000, six bytes on the wire.");
        return table;
    }

    /** What writes. */
    private enum Source {
        TEXT("text"),
        ZEROS("zeros");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        String line(long bytes) {
            return switch (this) {
                case TEXT -> "yes 'The quick brown fox jumps over the lazy dog, again and again.' | head -c " + bytes;
                case ZEROS -> "head -c " + bytes + " /dev/zero";
            };
        }
    }

    private static void add(Table table, String what, double seen, double pipe, double goal) {
        table.add(
                what,
                Figure.of("megabytesPerSecond", seen, "MB/s"),
                Figure.of("megabytesPerSecond", pipe, "MB/s").named("| cat"),
                Figure.amount(seen / pipe) + "×",
                goal == 0 ? Goal.NONE : new Goal("≥ %.0f MB/s".formatted(goal), seen >= goal));
    }

    /** The same, written and passed on by cat on the host, and read by this program. */
    private static double throughPipe(String line, long size) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        var shell = new ProcessBuilder("sh", "-c", line + " | cat").start();
        long read = 0;
        var buffer = new byte[256 * 1024];
        try (var output = shell.getInputStream()) {
            for (int length = output.read(buffer); length >= 0; length = output.read(buffer)) {
                read += length;
            }
        }
        shell.waitFor();
        return perSecond(read, size, begun);
    }

    private static double perSecond(long seen, long expected, long begun) {
        if (seen != expected) {
            throw new IllegalStateException("expected " + expected + " bytes, seen " + seen);
        }
        return seen / MEGABYTE / ((System.nanoTime() - begun) / 1e9);
    }

    /** A sandbox's commands and what they write. */
    private record OutputOf(Server server, Connection connection, String sandbox) {
        double events(String line, long size) throws IOException {
            var request = connection.request("POST", process("/run"), order(line, "stream"));
            var end = new LastEvent();
            long begun = System.nanoTime();
            int status = connection.send(request, end::take);
            new Connection.Answer(status, end.text()).mustBe(200);
            return perSecond(end.stdoutOffset(), size, begun);
        }

        /** The command begins when its reader is there. */
        double raw(String line, long size) throws IOException, InterruptedException {
            connection
                    .post(process("/run"), "{\"command\":[\"rm\",\"-f\",\"go\"]}")
                    .mustBe(200);
            var started = connection.post(
                    process("/run"), order("until [ -e go ]; do sleep 0.1; done; " + line, "background"));
            var command = COMMAND.matcher(started.mustBe(200).body());
            if (!command.find()) {
                throw new IllegalStateException("no command in " + started.body());
            }
            var request = connection.request("GET", process("/" + command.group() + "/output?stream=stdout"), "");
            var count = new Count();
            try (var second = server.connect()) {
                var go = Thread.ofVirtual().start(() -> touch(second));
                connection.send(request, count::take);
                go.join();
            }
            return perSecond(count.bytes, size, count.first);
        }

        private void touch(Connection second) {
            try {
                Thread.sleep(READER_MILLIS);
                second.post(process("/run"), "{\"command\":[\"touch\",\"go\"]}").mustBe(200);
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        }

        private String process(String rest) {
            return Sandboxes.PATH + "/" + sandbox + "/process" + rest;
        }

        private static String order(String line, String how) {
            return "{\"command\":\"" + line + "\",\"" + how + "\":true}";
        }
    }

    private static final class Count {
        private long bytes;
        private long first;

        void take(byte[] piece, int offset, int length) {
            if (bytes == 0) {
                first = System.nanoTime();
            }
            bytes += length;
        }
    }
}
