package io.bivouac.launcher;

import java.lang.ProcessBuilder.Redirect;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a person sees of real programs, through a real terminal emulator. */
class HeadlessXtermTest {
    @Test
    @Tag("soak")
    void programsLookAsInATerminalOfThisMachine() throws Exception {
        try (var site = CrashSite.open(Map.of())) {
            var api = site.api();
            System.out.print(HeadlessXterm.run(Redirect.PIPE, "compare.mjs", api.url(), api.key(), api.created()));
        }
    }
}
