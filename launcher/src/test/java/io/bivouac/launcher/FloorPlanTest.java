package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table "Where is …?" in CONTRIBUTING.md leads to classes that are there. */
class FloorPlanTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW = Pattern.compile("^\\| .+ \\| `([^`]+)` \\| (?:`([^`]+)`|–) \\| `(\\w+)` \\|$");
    private static final int BEHAVIOURS = 20;

    @Test
    void everyBehaviourIsFoundInTheFolderAndPackageThatTheTableNames() throws IOException {
        var rows = Files.readAllLines(ROOT.resolve("CONTRIBUTING.md")).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .toList();
        assertThat(rows).hasSizeGreaterThanOrEqualTo(BEHAVIOURS);
        for (var row : rows) {
            var packageFolder = row.group(2) == null ? "" : row.group(2) + "/";
            var end = packageFolder + row.group(3) + ".java";
            var sources = ROOT.resolve(row.group(1)).resolve("src/main/java");
            try (var files = Files.walk(sources)) {
                assertThat(files.map(file -> sources.relativize(file).toString()))
                        .as(row.group())
                        .anyMatch(file -> file.endsWith("/" + end));
            }
        }
    }
}
