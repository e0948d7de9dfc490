package io.bivouac.launcher;

import java.io.PrintStream;
import java.util.Locale;

/** The few lines that a person sees while the server starts. Colour only on a terminal. */
record Progress(PrintStream out, boolean terminal) {
    static Progress toStandardOutput() {
        boolean terminal =
                System.console() != null && System.console().isTerminal() && System.getenv("NO_COLOR") == null;
        // The ✓ must not depend on the locale that the server happens to be started in.
        return new Progress(new PrintStream(System.out, true, java.nio.charset.StandardCharsets.UTF_8), terminal);
    }

    void done(String what, long startedNanos) {
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        say("%s %s (%.1f s)".formatted(terminal ? "\033[32m✓\033[0m" : "✓", what, seconds));
    }

    void say(String line) {
        out.println(line);
    }

    void refuse(String line) {
        System.err.println("bivouac-server: " + line);
    }

    void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
