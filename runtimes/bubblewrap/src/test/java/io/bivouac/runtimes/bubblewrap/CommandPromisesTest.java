package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a template promises is there, or it says what is missing. */
class CommandPromisesTest {
    @TempDir
    private Path tree;

    @BeforeEach
    void unpack() throws IOException {
        Files.createDirectories(tree.resolve("usr/bin"));
        var program = Files.writeString(tree.resolve("usr/bin/python3.11"), "#!");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(tree.resolve("bin"), Path.of("/usr/bin"));
        Files.createSymbolicLink(tree.resolve("usr/bin/escape"), Path.of("../../../../../../bin/sh"));
    }

    private Template template(Map<String, List<String>> commands) {
        return new Template(
                "python:3.11",
                "",
                Map.of(BubblewrapRuntime.NAME, tree.toString()),
                Map.of(),
                List.of(),
                Resources.DEFAULT,
                List.of(),
                commands);
    }

    @Test
    void theFirstPlaceThatExistsIsTaken() {
        var template = template(Map.of("python", List.of("/opt/python", "/bin/python3.11")));
        assertThat(TemplateRoot.of(template).commands(template))
                .containsExactly(Map.entry("python", "/bin/python3.11"));
    }

    @Test
    void aPromiseThatTheRootCannotKeepIsNamed() {
        var template = template(Map.of("node", List.of("/usr/bin/node", "/usr/local/bin/node")));
        assertThatThrownBy(() -> TemplateRoot.of(template).commands(template))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("template python:3.11 promises node, but the root")
                .hasMessageContaining("has none of /usr/bin/node, /usr/local/bin/node");
    }

    @Test
    void aLinkNeverLeadsOutOfTheTree() {
        var template = template(Map.of("sh", List.of("/usr/bin/escape")));
        assertThatThrownBy(() -> TemplateRoot.of(template).commands(template)).isInstanceOf(RuntimeFailure.class);
    }
}
