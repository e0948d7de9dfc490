package io.bivouac.runtimes.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Capability;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only Docker has: how the engine sees a sandbox. */
class DockerContainerTest {
    private static final String IMAGE = "bivouac-test:changing";

    @TempDir
    private Path data;

    private final Installation installation = new Installation(SortableId.next("test-"), "here");
    private final SandboxId id = SandboxId.next();
    private DockerSettings settings;
    private DockerRuntime runtime;
    private ContainerExec commands;

    @BeforeEach
    void connect() {
        settings = TestEngine.settings(data);
        TestImages.make(settings, IMAGE, "before");
        commands = new ContainerExec(settings);
        runtime = new DockerRuntime(settings, Optional.empty(), installation);
    }

    @AfterEach
    void disconnect() {
        if (runtime != null) {
            runtime.remove(id, false);
            runtime.close();
            commands.close();
        }
    }

    @Test
    void aNewImageUnderTheSameNameMakesItAnewWithItsVolume() {
        started(List.of());
        shell("echo mine > /workspace/note");
        assertThat(shell("cat /mark")).isEqualTo("before");
        TestImages.make(settings, IMAGE, "after");

        started(List.of());
        assertThat(shell("cat /mark")).isEqualTo("after");
        assertThat(shell("cat /workspace/note")).isEqualTo("mine");
        assertThat(runtime.keptData()).isEmpty();
    }

    @Test
    void thereIsNoNetworkButLoopback() {
        started(List.of());
        assertThat(shell("ls /sys/class/net")).isEqualTo("lo");
        assertThat(runtime.stats(id).network().rxBytes()).isZero();
    }

    @Test
    void commandsHaveNoCapabilitiesAndCannotGetAny() {
        started(List.of());
        var status = shell("cat /proc/self/status");
        assertThat(status)
                .contains("CapEff:\t0000000000000000")
                .contains("NoNewPrivs:\t1")
                .contains("Seccomp:\t2");
    }

    @Test
    void theContainerHasTheNamesLabelsAndLimitsThatPeopleLookFor() {
        started(List.of());
        var container =
                engine(docker -> docker.inspectContainerCmd("bivouac-" + id).exec());
        var host = container.getHostConfig();
        assertThat(host.getCapDrop()).containsExactly(Capability.ALL);
        assertThat(host.getCapAdd()).doesNotContain(Capability.SYS_ADMIN, Capability.NET_RAW, Capability.MKNOD);
        assertThat(host.getMemorySwap()).isEqualTo(Resources.DEFAULT.memoryBytes());
        assertThat(host.getPidsLimit()).isEqualTo(ContainerRecipe.PIDS_LIMIT);
        assertThat(host.getPrivileged()).isFalse();
        assertThat(container.getNetworkSettings().getPorts().getBindings()).isEmpty();
        assertThat(container.getConfig().getLabels()).containsEntry(ContainerMaker.PORTS_LABEL, "8000");

        var volume =
                engine(docker -> docker.inspectVolumeCmd("bivouac-data-" + id).exec());
        assertThat(volume.getLabels()).containsAllEntriesOf(Labels.of(spec(List.of()), installation));
        assertThat(shell("echo x > /workspace/here; cat /.data/here")).isEqualTo("x");
    }

    @Test
    void theDataOfAContainerThatWasRemovedByHandIsStillThere() {
        started(List.of());
        engine(docker ->
                docker.removeContainerCmd("bivouac-" + id).withForce(true).exec());
        assertThat(runtime.get(id)).isEmpty();
        assertThat(runtime.keptData()).singleElement().satisfies(kept -> {
            assertThat(kept.id()).isEqualTo(id);
            assertThat(kept.project()).isEqualTo("project");
        });
    }

    @Test
    void noVolumeIsLeftBehind() {
        started(List.of());
        runtime.remove(id, true);
        runtime.removeKeptData(id);
        var left = engine(docker -> docker.listVolumesCmd()
                .withFilter("label", Ownership.filter(installation))
                .exec()
                .getVolumes());
        assertThat(left).isNullOrEmpty();
    }

    @Test
    void aStartThatFailsSaysWhy() {
        assertThatThrownBy(() -> started(List.of("no-such-program")))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageStartingWith("Docker could not start " + id + ": exec: \"no-such-program\"");
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        started(List.of());
        var result = commands.run(id, List.of("no-such-program"), ExecOptions.defaults());
        assertThat(result.exitCode()).isBetween(126, 127);
        assertThat(result.stdout() + result.stderr()).contains("no-such-program");
    }

    @Test
    void oneThatEndsByItselfSaysHow() throws InterruptedException {
        started(List.of("sh", "-c", "exit 3"));
        for (int i = 0; i < 100 && state() == Instance.State.RUNNING; i++) {
            Thread.sleep(50);
        }
        assertThat(state()).isEqualTo(Instance.State.STOPPED);
        assertThat(runtime.get(id).orElseThrow().detail()).contains("exit code 3");
        assertThat(runtime.list())
                .singleElement()
                .extracting(Instance::detail)
                .asString()
                .contains("(3)");
    }

    @Test
    void anEngineWhoseVolumesAreOutOfReachUnpacksTheFolders() throws IOException {
        started(List.of());
        for (var mount : engine(
                        docker -> docker.inspectContainerCmd("bivouac-" + id).exec())
                .getMounts()) {
            Files.setAttribute(Path.of(mount.getSource()), "unix:uid", 0);
        }
        assertThat(commands.run(id, List.of("sh", "-c", "echo x > /workspace/file"), ExecOptions.defaults())
                        .exitCode())
                .isNotZero();
        engine(docker -> docker.copyArchiveToContainerCmd("bivouac-" + id)
                .withRemotePath("/")
                .withTarInputStream(WorkloadFolders.archive())
                .exec());
        shell("echo x > $HOME/file && echo y > /workspace/file");
    }

    @Test
    void aLongLogLineIsOneLine() throws InterruptedException {
        started(List.of("sh", "-c", "head -c 50000 /dev/zero | tr '\\0' x; echo; echo end; sleep 60"));
        var query = new LogQuery(100, null, null);
        for (int i = 0; i < 100 && runtime.logs(id, query).size() < 2; i++) {
            Thread.sleep(50);
        }
        assertThat(runtime.logs(id, query))
                .extracting(line -> line.text().length())
                .containsExactly(50_000, 3);
    }

    @Test
    void anEngineThatIsNotThereIsNamed() {
        var nowhere = new DockerSettings("unix://" + data.resolve("nothing"), data, DockerSettings.Pull.NEVER);
        try (var lost = new DockerRuntime(nowhere, Optional.empty(), installation)) {
            assertThatThrownBy(lost::check)
                    .isInstanceOf(RuntimeFailure.class)
                    .hasMessageContaining("There is no Docker engine at " + data.resolve("nothing"));
            assertThatThrownBy(lost::list).isInstanceOf(RuntimeFailure.class);
        }
    }

    private void started(List<String> command) {
        runtime.create(spec(command));
        runtime.start(id);
    }

    private InstanceSpec spec(List<String> command) {
        var template = new Template(
                "test", "", Map.of("docker", IMAGE), Map.of(), List.of(8000), Resources.DEFAULT, command, Map.of());
        return new InstanceSpec(id, "project", template, Resources.DEFAULT, Map.of(), "token", null);
    }

    private Instance.State state() {
        return runtime.get(id).orElseThrow().state();
    }

    private String shell(String line) {
        var options = new ExecOptions(Map.of(), null, null, Duration.ofSeconds(20));
        var result = commands.run(id, List.of("sh", "-c", line), options);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        return result.stdout().strip();
    }

    private <T> T engine(Function<DockerClient, T> question) {
        try (var engine = new Engine(settings)) {
            return engine.call("answer a test", question);
        }
    }
}
