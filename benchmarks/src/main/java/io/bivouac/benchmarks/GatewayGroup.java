package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Map;
import java.util.function.Supplier;

/** Requests through the gateway to a small server in a sandbox. */
final class GatewayGroup implements Group {
    private static final int REQUESTS = 5_000;
    private static final int CONNECTIONS = 32;
    private static final int MEBIBYTES = 1024;
    private static final int PORT = 18_000;
    private static final double MEGABYTE = 1e6;
    private static final double MOST_ADDED_MILLIS = 1;
    private static final double LEAST_PER_SECOND = 3_000;
    private static final double LEAST_MEGABYTES = 300;
    private static final int LONGEST_WAIT_SECONDS = 30;

    /** Answers {@code /N} with N bytes. */
    private static final String PROGRAM = """
            const piece = Buffer.alloc(65536, 'x');
            require('http').createServer((request, response) => {
              request.resume();
              let left = Number(request.url.slice(1));
              response.writeHead(200, {'Content-Length': left});
              const more = () => {
                while (left > 0) {
                  const size = Math.min(left, piece.length);
                  left -= size;
                  if (!response.write(size === piece.length ? piece : piece.subarray(0, size)) && left > 0) {
                    return response.once('drain', more);
                  }
                }
                response.end();
              };
              more();
            }).listen(%d, '127.0.0.1');
            """.formatted(PORT);

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String about() {
        return "requests and bodies to a sandbox's port; beside the same server on the host";
    }

    /** A connection to the server, and the start of its paths. */
    private record Way(Supplier<Connection> connect, String prefix) {
        Load.Client client(Connection connection, int bytes) {
            var request = connection.request("GET", prefix + bytes, "");
            return () -> connection.send(request).mustBe(200);
        }
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("gateway: GET of 100 bytes, and a body of %d MiB".formatted(scale.of(MEBIBYTES)));
        var host = new ProcessBuilder("node", "-e", PROGRAM)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var folder = new WorkFolder("gateway");
                var server = Server.start(folder.path().resolve("data"), Map.of("BIVOUAC_GATEWAY_PORT", "0"));
                var connection = server.connect()) {
            var sandbox = new Sandboxes(connection).createWide();
            var gateway =
                    new Way(connecting(start(connection, sandbox)), "/sandbox/" + sandbox + "/port/" + PORT + "/");
            var direct = new Way(connecting(PORT), "/");
            one(table, scale, gateway, direct);
            many(table, scale, gateway, direct);
            body(table, scale, gateway, direct);
        } finally {
            host.destroy();
        }
        table.note(Sandboxes.WIDE);
        table.note("The client, the server and the gateway share the machine's processors.");
        return table;
    }

    private static Supplier<Connection> connecting(int port) {
        return () -> {
            try {
                return new Connection(port, Server.KEY);
            } catch (IOException failed) {
                throw new java.io.UncheckedIOException(failed);
            }
        };
    }

    /** Starts the program inside; gives the gateway's port when it listens. */
    private static int start(Connection connection, String sandbox) throws Exception {
        var text = Base64.getEncoder().encodeToString(PROGRAM.getBytes(StandardCharsets.UTF_8));
        var line = "echo " + text + " | base64 -d > server.js && exec node server.js";
        var path = Sandboxes.PATH + "/" + sandbox;
        connection
                .post(path + "/process/run", "{\"command\":\"" + line + "\",\"background\":true}")
                .mustBe(200);
        long deadline = System.nanoTime() + LONGEST_WAIT_SECONDS * 1_000_000_000L;
        while (System.nanoTime() < deadline) {
            var listed = connection.get(path + "/ports").mustBe(200).body();
            int at = listed.indexOf("\"port\":" + PORT);
            if (at >= 0) {
                var url =
                        java.util.regex.Pattern.compile("http://[^:]+:(\\d+)/").matcher(listed.substring(at));
                url.find();
                return Integer.parseInt(url.group(1));
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException("the server in the sandbox does not listen");
    }

    private static void one(Table table, Scale scale, Way gateway, Way direct) throws Exception {
        var beside = load(scale, direct, 1);
        var seen = load(scale, gateway, 1);
        double added = seen.p50() - beside.p50();
        table.add(
                "one connection, p50 / p99",
                seen.figure(),
                beside.figure().named("host"),
                "+" + Figure.amount(added) + " ms",
                new Goal("added p50 ≤ 1 ms", added <= MOST_ADDED_MILLIS));
    }

    private static void many(Table table, Scale scale, Way gateway, Way direct) throws Exception {
        var beside = load(scale, direct, CONNECTIONS);
        var seen = load(scale, gateway, CONNECTIONS);
        table.add(
                CONNECTIONS + " connections",
                seen.figureWithRate(),
                beside.figureWithRate().named("host"),
                Figure.amount(seen.perSecond() / beside.perSecond()) + "×",
                new Goal("≥ 3,000/s", seen.perSecond() >= LEAST_PER_SECOND));
    }

    private static Latencies load(Scale scale, Way way, int connections) throws Exception {
        var open = new ArrayList<Connection>();
        try {
            var clients = new ArrayList<Load.Client>();
            for (int i = 0; i < connections; i++) {
                open.add(way.connect().get());
                clients.add(way.client(open.getLast(), 100));
            }
            int requests = scale.of(REQUESTS) * (connections > 1 ? 4 : 1);
            Load.run(requests, clients);
            return Load.run(requests, clients);
        } finally {
            for (var connection : open) {
                connection.close();
            }
        }
    }

    private static void body(Table table, Scale scale, Way gateway, Way direct) throws Exception {
        long size = (long) scale.of(MEBIBYTES) << 20;
        double beside = megabytesPerSecond(direct, size);
        megabytesPerSecond(gateway, size);
        double seen = megabytesPerSecond(gateway, size);
        table.add(
                "a response's body",
                Figure.of("megabytesPerSecond", seen, "MB/s"),
                Figure.of("megabytesPerSecond", beside, "MB/s").named("host"),
                Figure.amount(seen / beside) + "×",
                new Goal("≥ 300 MB/s", seen >= LEAST_MEGABYTES));
    }

    private static double megabytesPerSecond(Way way, long size) throws IOException {
        try (var connection = way.connect().get()) {
            var read = new long[1];
            long begun = System.nanoTime();
            connection.send(connection.request("GET", way.prefix() + size, ""), (_, _, length) -> read[0] += length);
            if (read[0] != size) {
                throw new IllegalStateException("expected " + size + " bytes, seen " + read[0]);
            }
            return size / MEGABYTE / ((System.nanoTime() - begun) / 1e9);
        }
    }
}
