package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Terminals: how soon a key comes back, how fast output goes out, and how many there can be. */
final class TerminalGroup implements Group {
    private static final int KEYS = 2_000;
    private static final int KEYS_IN_FLOOD = 200;
    private static final int MEGABYTES = 200;
    private static final int TERMINALS = 500;
    private static final int WARM_UP_SECONDS = 10;

    /** So long that a single stall of the machine is not the hundredth part of it. */
    private static final int SECONDS = 30;

    private static final int TURNS = 9;
    private static final double IDLE_BYTES = 64 * 1024;

    @Override
    public String name() {
        return "terminal";
    }

    @Override
    public String about() {
        return "keys and their echoes, floods, many terminals, a slow viewer; beside a bare pseudoterminal";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("terminal: through client, relay and agent");
        try (var folder = new WorkFolder("terminal");
                var server = Server.start(
                        folder.path().resolve("data"),
                        Map.of("BIVOUAC_TERMINAL_PER_USER", "5000", "BIVOUAC_TERMINAL_TOTAL", "5000"));
                var connection = server.connect()) {
            var box = new TerminalBox(server, connection, new Sandboxes(connection).createWide());
            echo(table, box, scale);
            flood(table, box, folder, scale);
            SealedTerminals.measure(table, box, scale);
            crowd(table, server, connection, scale);
        }
        table.note(Sandboxes.WIDE);
        table.note("Bare: a pseudoterminal on the host, read by a small Python program.");
        table.note("Floods: after one of each, " + TURNS
                + " turns of all; the medians of the rates, and of each turn's ratios.");
        return table;
    }

    private static void echo(Table table, TerminalBox box, Scale scale) throws Exception {
        int keys = scale.of(KEYS);
        try (var socket = box.echoing()) {
            echoes(socket, 0, keys);
            var seen = echoes(socket, keys, keys);
            var bare = BarePty.echo(keys);
            table.add(
                    "key → echo, idle, p50 / p99",
                    seen.figure(),
                    bare.figure().named("bare"),
                    Figure.amount(seen.p50() / bare.p50()) + "×",
                    new Goal("≤ 1 / 5 ms", seen.p50() <= 1 && seen.p99() <= 5));
        }
    }

    private static Latencies echoes(TerminalSocket socket, long before, int count) throws IOException {
        var nanos = new ArrayList<Long>();
        long begun = System.nanoTime();
        for (int i = 1; i <= count; i++) {
            long typedAt = System.nanoTime();
            socket.type(before + i, (byte) 'x');
            while (socket.next() && socket.type() != TerminalSocket.OUTPUT) {}
            nanos.add(System.nanoTime() - typedAt);
        }
        return Latencies.of(nanos, System.nanoTime() - begun);
    }

    private static void flood(Table table, TerminalBox box, WorkFolder folder, Scale scale) throws Exception {
        int megabytes = scale.of(MEGABYTES);
        var flood = new TerminalFlood(box, megabytes);
        flood.prepare();
        var file = folder.path().resolve("flood").toString();
        new ProcessBuilder("sh", "-c", flood.writing(file)).start().waitFor();
        var turns = FloodTurns.measure(flood, file, TURNS);
        rate(table, megabytes + " MB, binary protocol", turns.binary(), turns.bare(), "bare", 0.8);
        rate(table, megabytes + " MB, PTYs' door, JSON in base64", turns.ptyDoor(), turns.bare(), "bare", 0.4);
        rate(table, megabytes + " MB, interactive exec, JSON", turns.execDoor(), turns.bare(), "bare", 0.4);
        rate(
                table,
                megabytes + " MB beside a viewer that takes 1 kB/s",
                turns.besideSlow(),
                turns.binary(),
                "alone",
                0.9);
        var heap = FloodedHeap.measure(box, new Heap(box.server().pid()));
        table.add(
                "the server's heap before, during and after such a flood",
                heap.figure(),
                Figure.NONE,
                "",
                new Goal("≤ 4 MiB more", heap.isFlat()));
        var echoes = flood.echoes(scale.of(KEYS_IN_FLOOD));
        table.add(
                "key → echo while the same terminal floods, p50 / p99",
                echoes.figure(),
                Figure.NONE,
                "",
                new Goal("≤ 30 ms p99", echoes.p99() <= 30));
    }

    private static void rate(
            Table table, String what, List<Double> seen, List<Double> beside, String name, double share) {
        double ratio = FloodTurns.ratio(seen, beside);
        table.add(
                what,
                Figure.of("megabytesPerSecond", FloodTurns.median(seen), "MB/s"),
                Figure.of("megabytesPerSecond", FloodTurns.median(beside), "MB/s")
                        .named(name),
                Figure.amount(ratio) + "×",
                new Goal("≥ %.0f %%".formatted(share * 100), ratio >= share));
    }

    private static void crowd(Table table, Server server, Connection connection, Scale scale) throws Exception {
        int count = scale.of(TERMINALS);
        var heap = new Heap(server.pid());
        try (var first = TerminalCrowd.open(server, connection, 10)) {
            first.echoEachSecond(1);
            long before = heap.usedBytes();
            try (var crowd = TerminalCrowd.open(server, connection, count)) {
                crowd.echoEachSecond(2);
                double each = (heap.usedBytes() - before) / (double) count;
                table.add(
                        "heap for an idle terminal with its client",
                        Figure.of("kilobytes", each / 1024, "KiB"),
                        Figure.NONE,
                        "",
                        new Goal("≤ 64 KiB", each <= IDLE_BYTES));
                // The full collection of the look at the heap is over then, and what 500 clients need is compiled.
                crowd.echoEachSecond(WARM_UP_SECONDS);
                var seen = crowd.echoEachSecond(scale.of(SECONDS));
                table.add(
                        count + " terminals, each echoing once a second, p50 / p99",
                        seen.figure(),
                        Figure.NONE,
                        "",
                        new Goal("≤ 25 ms p99", seen.p99() <= 25));
            }
        }
    }
}
