package io.bivouac.sandboxes.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.egress.EgressRule;
import io.bivouac.sandboxmodel.error.BivouacException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools are those of this machine. */
class EgressPresetsTest {
    private static List<String> hosts(PackageSources sources, String name) {
        return sources.of(name).stream().map(EgressRule::toString).toList();
    }

    @Test
    void aToolsSourceIsTheOneThatItIsConfiguredWith(@TempDir Path home) throws Exception {
        Files.createDirectories(home.resolve(".m2"));
        Files.writeString(home.resolve(".m2/settings.xml"), """
                <settings><mirrors>
                <!-- <mirror><url>https://commented.example</url></mirror> -->
                <mirror><id>m</id><mirrorOf>*</mirrorOf><url>https://maven.example/all</url></mirror>
                </mirrors></settings>
                """);
        Files.createDirectories(home.resolve("cargo/registry/index/index.example-0123456789abcdef"));
        Files.writeString(
                home.resolve("cargo/registry/index/index.example-0123456789abcdef/config.json"),
                "{\"dl\": \"https://dl.example/crates\"}");
        var sources = new PackageSources(new ToolOutput(Map.of(
                "PIP_CONFIG_FILE", "/dev/null",
                "PIP_INDEX_URL", "http://user:secret@pip.example:8080/simple",
                "npm_config_registry", "https://npm.example/",
                "GOPROXY", "https://go.example,direct",
                "GOSUMDB", "off",
                "CARGO_HOME", home.resolve("cargo").toString(),
                "HOME", home.toString())));
        assertThat(hosts(sources, "pip")).contains("pip.example:8080");
        assertThat(hosts(sources, "npm")).contains("npm.example:443");
        assertThat(hosts(sources, "cargo")).containsExactly("index.example:443", "dl.example:443");
        assertThat(hosts(sources, "maven")).contains("maven.example:443").doesNotContain("commented.example:443");
    }

    @Test
    void aToolThatIsNotConfiguredNamesTheSourceThatItUsesThen(@TempDir Path home) {
        var bare = new PackageSources(new ToolOutput(
                Map.of("PIP_CONFIG_FILE", "/dev/null", "HOME", home.toString(), "npm_config_userconfig", "/dev/null")));
        assertThat(hosts(bare, "npm")).isNotEmpty();
        assertThat(hosts(bare, "pip")).isNotEmpty();
    }

    @Test
    void aToolThatIsNotThereNamesNone() {
        assertThat(new ToolOutput(Map.of()).of(List.of("no-such-tool-here"))).isEmpty();
        assertThat(PackageSources.rules("")).isEmpty();
        assertThat(PackageSources.rules("see http://[2001:db8::1]:81/x and https://a.example,direct"))
                .extracting(EgressRule::toString)
                .containsExactly("[2001:db8:0:0:0:0:0:1]:81", "a.example:443");
    }

    @Test
    void anOperatorsPresetIsReadAndAWrongOneIsNamed(@TempDir Path folder) throws Exception {
        var file = folder.resolve("presets.yml");
        Files.writeString(file, "presets:\n  forge: [git.example.org, \"*.example.net:8443\"]\n");
        var presets = new EgressPresets(new PackageSources(new ToolOutput(Map.of())), file);
        assertThat(presets.names()).contains("forge", "pip", "public");
        assertThat(presets.hostsOf("forge"))
                .extracting(EgressRule::toString)
                .containsExactly("git.example.org:443", "*.example.net:8443");
        assertThat(presets.checked(EgressPolicy.allowing(List.of("@forge"))).presets())
                .containsExactly("forge");
        assertThatThrownBy(() -> presets.checked(EgressPolicy.allowing(List.of("@forgr"))))
                .isInstanceOf(BivouacException.class)
                .hasMessageContaining("Did you mean @forge?");
        for (var wrong :
                List.of("Forge: [a.example]", "public: [a.example]", "forge: [\"@pip\"]", "forge: [\"a b\"]")) {
            Files.writeString(file, "presets:\n  " + wrong + "\n");
            assertThatThrownBy(() -> PresetFile.read(file))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(file.toString());
        }
    }
}
