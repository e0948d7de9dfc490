package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Sealed terminals beside clear ones, both through the TypeScript SDK, which is what seals and opens. */
final class SealedTerminals {
    private static final String SCRIPT =
            Path.of("sdk-ts", "measure", "run.mjs").toAbsolutePath().toString();
    private static final int MEGABYTES = 200;
    private static final int KEYS = 1_000;
    private static final double SHARE = 0.7;
    private static final double LONGER_MILLIS = 1;

    private SealedTerminals() {}

    static void measure(Table table, TerminalBox box, Scale scale) throws IOException, InterruptedException {
        var node = Programs.find("node").orElseThrow(() -> new IllegalStateException("there is no node"));
        int megabytes = scale.of(MEGABYTES);
        var process = new ProcessBuilder(
                        node,
                        SCRIPT,
                        box.server().url(),
                        Server.KEY,
                        box.sandbox(),
                        Integer.toString(megabytes),
                        Integer.toString(scale.of(KEYS)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the measuring program failed: " + said);
        }
        double clear = number(said, "floodClear");
        double sealed = number(said, "floodSealed");
        table.add(
                megabytes + " MB sealed, through the SDK",
                Figure.of("megabytesPerSecond", sealed, "MB/s"),
                Figure.of("megabytesPerSecond", clear, "MB/s").named("clear"),
                Figure.amount(sealed / clear) + "×",
                new Goal("≥ %.0f %%".formatted(SHARE * 100), sealed >= SHARE * clear));
        double clearEcho = number(said, "echoClear");
        double sealedEcho = number(said, "echoSealed");
        table.add(
                "key → echo sealed, through the SDK, p50",
                Figure.of("milliseconds", sealedEcho, "ms"),
                Figure.of("milliseconds", clearEcho, "ms").named("clear"),
                "+ " + Figure.amount(sealedEcho - clearEcho) + " ms",
                new Goal("≤ 1 ms more", sealedEcho - clearEcho <= LONGER_MILLIS));
    }

    private static double number(String said, String name) {
        var found = Pattern.compile("\"" + name + "\":([0-9.eE-]+)").matcher(said);
        if (!found.find()) {
            throw new IllegalStateException("no " + name + " in " + said);
        }
        return Double.parseDouble(found.group(1));
    }
}
