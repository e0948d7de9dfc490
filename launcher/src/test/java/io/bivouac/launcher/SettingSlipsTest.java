package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SettingSlipsTest {
    private static final Pattern SETTING = Pattern.compile("`(BIVOUAC_[A-Z0-9_]+[A-Z0-9])[`=]");

    @Test
    void aSlipOfThePenIsNamedWithTheSettingThatWasMeant() {
        assertThat(SettingSlips.in(Map.of("BIVOUAC_PRT", "1", "BIVOUAC_PORT", "1", "PATH", "/bin")))
                .containsExactly("BIVOUAC_PRT is no setting, and does nothing. Did you mean BIVOUAC_PORT?");
        assertThat(SettingSlips.in(Map.of("BIVOUAC_JWT_ISSUERS_MINE_AUDIENCE", "x", "BIVOUAC_KAFKA_PORT", "1")))
                .isEmpty();
    }

    @Test
    void noSettingOfTheDocumentationIsTakenForASlip() throws IOException {
        var documented = new TreeMap<String, String>();
        try (var pages = Files.newDirectoryStream(Path.of("../docs"), "*.md")) {
            for (var page : pages) {
                SETTING.matcher(Files.readString(page)).results().forEach(found -> documented.put(found.group(1), ""));
            }
        }
        assertThat(documented).isNotEmpty();
        assertThat(SettingSlips.in(documented)).isEmpty();
    }
}
