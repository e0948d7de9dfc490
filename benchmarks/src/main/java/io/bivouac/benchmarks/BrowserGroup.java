package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** What a page fetches, and what somebody waits for who types into its terminal. */
final class BrowserGroup implements Group {
    private static final Path MEASURE = Path.of("console", "measure", "run.mjs").toAbsolutePath();
    private static final double LARGEST_SDK = 25;
    private static final double LARGEST_SEALED_SDK = 45;
    private static final double LARGEST_FIRST_LOAD = 400;
    private static final double LONGEST_MORE_MILLIS = 10;

    @Override
    public String name() {
        return "browser";
    }

    @Override
    public String about() {
        return "sizes of the SDK and the console; a keystroke in Chromium beside the protocol alone";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("browser: sizes gzipped; from a key's event to its echo on the console's screen, p50");
        try (var folder = new WorkFolder("browser");
                var server = Server.start(folder.path().resolve("data"))) {
            var seen = measured(server);
            size(table, "SDK, bundled for a page", seen.get("sdkKilobytes"), LARGEST_SDK);
            size(table, "SDK with sealed terminals", seen.get("sealedKilobytes"), LARGEST_SEALED_SDK);
            size(table, "SDK with the terminal element", seen.get("elementKilobytes"), LARGEST_SDK);
            size(table, "console, first load", seen.get("firstLoadKilobytes"), LARGEST_FIRST_LOAD);
            double more = seen.get("browserP50") - seen.get("protocolP50");
            table.add(
                    "a keystroke in the console",
                    Figure.of("p50Millis", seen.get("browserP50"), "ms"),
                    Figure.of("p50Millis", seen.get("protocolP50"), "ms").named("the protocol alone"),
                    "+ " + Figure.amount(more) + " ms",
                    new Goal("at most 10 ms more", more <= LONGEST_MORE_MILLIS));
        }
        return table;
    }

    private static void size(Table table, String what, double kilobytes, double most) {
        var goal = new Goal("≤ " + (int) most + " kB", kilobytes <= most);
        table.add(what, Figure.of("kilobytes", kilobytes, "kB"), Figure.NONE, "", goal);
    }

    private static Map<String, Double> measured(Server server) throws IOException, InterruptedException {
        var node = Programs.find("node").orElseThrow(() -> new IllegalStateException("there is no node"));
        var builder = new ProcessBuilder(node, MEASURE.toString()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("BIVOUAC_URL", server.url());
        builder.environment().put("BIVOUAC_API_KEY", Server.KEY);
        var process = builder.start();
        var lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the measurement in the browser failed: " + lines);
        }
        return lines.lines()
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(words -> words[0], words -> Double.parseDouble(words[1])));
    }
}
