package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
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

class TemplatePromisesTest {
    private static final Path BWRAP = BubblewrapSettings.defaults().bwrap();

    @TempDir
    private Path folder;

    private Path tree;

    @BeforeEach
    void makeTree() throws IOException {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
        tree = TestTree.make(folder.resolve("tree"));
        program("python3", "echo Python 3.9.2");
        program("silent", "exit 1");
        program("writer", "echo x > /bin/written; echo 1.0");
    }

    private void program(String name, String line) throws IOException {
        var file = Files.writeString(tree.resolve("bin").resolve(name), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> shortcomings(String command, String version) {
        var template = new Template(
                "mine",
                "",
                Map.of(BubblewrapRuntime.NAME, tree.toString()),
                Map.of(),
                List.of(),
                Resources.DEFAULT,
                List.of(),
                Map.of(command, List.of("/bin/" + command)),
                Map.of(command, version),
                List.of(),
                EgressPolicy.NOTHING);
        return new TemplatePromises(BWRAP, folder).shortcomings(template);
    }

    @Test
    void aPromiseThatIsKeptIsNotMentioned() {
        assertThat(shortcomings("python3", "3.9")).isEmpty();
        assertThat(shortcomings("python3", "3")).isEmpty();
        assertThat(shortcomings("python3", "3.9.2")).isEmpty();
    }

    @Test
    void anotherVersionIsNamed() {
        assertThat(shortcomings("python3", "3.11"))
                .containsExactly(
                        "Template mine promises python3 3.11, but /bin/python3 of the root " + tree + " is 3.9.2.");
        assertThat(shortcomings("python3", "3.9.20")).hasSize(1);
    }

    @Test
    void aCommandThatIsMissingIsNamed() {
        assertThat(shortcomings("nothing", "1")).singleElement().asString().contains("promises nothing");
    }

    @Test
    void aProgramThatDoesNotTellIsNoProof() {
        assertThat(shortcomings("silent", "1")).singleElement().asString().contains("does not tell");
    }

    @Test
    void aProgramThatIsAskedChangesNothing() {
        shortcomings("writer", "1");
        assertThat(tree.resolve("bin/written")).doesNotExist();
    }
}
