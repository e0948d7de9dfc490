package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of attacks names tests that there are. */
class AttackPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final Pattern IN_RUST = Pattern.compile("`([a-z]+(?:_[a-z]+){3,})`");

    @Test
    void everyTestThatIsNamedIsThere() throws IOException {
        var page = Files.readString(ROOT.resolve("docs/attacks.md"));
        var java = sources(".java", "src/test/java");
        var named = NAMED.matcher(page).results().toList();
        assertThat(named).hasSizeGreaterThan(20);
        assertThat(named)
                .allSatisfy(test -> assertThat(java.getOrDefault(test.group(1) + ".java", ""))
                        .as(test.group())
                        .contains("void " + test.group(2) + "("));
        var rust = String.join("", sources(".rs", "agent").values());
        assertThat(IN_RUST.matcher(page).results())
                .allSatisfy(test -> assertThat(rust).as(test.group()).contains("fn " + test.group(1) + "("));
    }

    /** By file name; several of one name in one text. */
    private static Map<String, String> sources(String end, String place) throws IOException {
        var texts = new HashMap<String, String>();
        try (var files = Files.walk(ROOT, 16)) {
            for (var file : (Iterable<Path>) files.filter(path ->
                            path.toString().endsWith(end) && path.toString().contains(place))
                    .filter(path -> !path.toString().contains("/target/"))
                    .filter(path -> !path.toString().contains("/node_modules/"))::iterator) {
                texts.merge(file.getFileName().toString(), Files.readString(file), String::concat);
            }
        }
        return texts;
    }
}
