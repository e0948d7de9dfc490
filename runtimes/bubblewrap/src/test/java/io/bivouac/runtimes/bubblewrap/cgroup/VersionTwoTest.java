package io.bivouac.runtimes.bubblewrap.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written and read, with a folder in the place of the kernel's. */
class VersionTwoTest {
    @TempDir
    private Path root;

    private Path group;
    private VersionTwo groups;

    @BeforeEach
    void imitateTheKernel() throws IOException {
        group = Files.createDirectories(root.resolve("bivouac/short/name"));
        for (var folder : new Path[] {root, root.resolve("bivouac"), root.resolve("bivouac/short")}) {
            Files.writeString(folder.resolve("cgroup.subtree_control"), "");
        }
        for (var file : new String[] {"memory.max", "memory.swap.max", "pids.max", "cpu.max", "cgroup.freeze"}) {
            Files.writeString(group.resolve(file), "");
        }
        groups = new VersionTwo(root, root.resolve("bivouac/short"));
    }

    @Test
    void limitsAreWritten() {
        groups.limit("name", new Cgroups.Limits(1.5, 64 << 20, 100));
        assertThat(group.resolve("memory.max")).hasContent("67108864");
        assertThat(group.resolve("memory.swap.max")).hasContent("0");
        assertThat(group.resolve("pids.max")).hasContent("100");
        assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
    }

    @Test
    void controllersArePassedOnFromTheTop() throws IOException {
        groups.enableControllers(root.resolve("bivouac/short"));
        assertThat(root.resolve("cgroup.subtree_control")).hasContent("+memory +pids +cpu");
        assertThat(root.resolve("bivouac/short/cgroup.subtree_control")).hasContent("+memory +pids +cpu");
    }

    @Test
    void useIsReadWithoutWhatTheKernelCanDrop() throws IOException {
        Files.writeString(group.resolve("memory.current"), "5000\n");
        Files.writeString(group.resolve("memory.stat"), "anon 4000\ninactive_file 1000\n");
        Files.writeString(group.resolve("cpu.stat"), "usage_usec 7\nuser_usec 3\n");
        Files.writeString(group.resolve("pids.current"), "3\n");
        Files.writeString(group.resolve("memory.events"), "oom 2\noom_kill 1\n");
        assertThat(groups.used("name")).isEqualTo(new Cgroups.Used(7_000, 4_000, 3));
        assertThat(groups.outOfMemoryKills("name")).isEqualTo(1);
        assertThat(groups.names()).containsExactly("name");
    }

    @Test
    void whatIsNotThereUsesNothing() {
        assertThat(groups.used("other")).isEqualTo(Cgroups.Used.NOTHING);
    }
}
