package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a person sees of real programs, through a real terminal emulator. */
class HeadlessXtermTest {
    private static final Path SOURCES = Path.of("src/test/xterm");

    @Test
    @Tag("soak")
    void programsLookAsInATerminalOfThisMachine() throws Exception {
        var folder = Files.createDirectories(Path.of("target/xterm"));
        for (var file : List.of("package.json", "compare.mjs")) {
            Files.copy(SOURCES.resolve(file), folder.resolve(file), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        mustEndWell(folder, "npm", "install", "--no-audit", "--no-fund", "--no-save");
        try (var site = CrashSite.open(Map.of())) {
            var api = site.api();
            mustEndWell(
                    folder,
                    "node",
                    "--experimental-websocket",
                    "--no-warnings",
                    "compare.mjs",
                    api.url(),
                    api.key(),
                    api.created());
        }
    }

    private static void mustEndWell(Path folder, String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        System.out.print(said);
    }
}
