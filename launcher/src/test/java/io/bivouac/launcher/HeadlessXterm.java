package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The terminal emulator of the console, without a screen. The build of the console has installed it. */
final class HeadlessXterm {
    private static final Path SCRIPTS = Path.of("src/test/xterm");

    private HeadlessXterm() {}

    /** What this output leaves on a screen of 80 by 24: the lines with their colours, the cursor and the buffer. */
    static String picture(byte[] output) throws IOException, InterruptedException {
        var file = Files.createTempFile("bivouac-output", ".bytes");
        try {
            Files.write(file, output);
            return run(ProcessBuilder.Redirect.from(file.toFile()), "picture.mjs");
        } finally {
            Files.delete(file);
        }
    }

    /** Runs a script that must end well, and gives what it said. */
    static String run(ProcessBuilder.Redirect input, String... script) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("node", "--experimental-websocket", "--no-warnings"));
        command.addAll(List.of(script));
        var process = new ProcessBuilder(command)
                .directory(SCRIPTS.toFile())
                .redirectInput(input)
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
