package io.bivouac.runtimes.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.bivouac.sandboxmodel.template.Template;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real agent as the first process of a container; no relay answers it here. */
class AgentInContainerTest {
    @TempDir
    private Path data;

    @TempDir
    private Path sockets;

    private final SandboxId id = SandboxId.next();
    private DockerRuntime runtime;
    private ContainerExec commands;

    @BeforeEach
    void start() {
        var agent = TestAgent.find(sockets);
        assumeTrue(agent.isPresent(), "the agent has not been built");
        var settings = TestEngine.settings(data);
        TestImages.make(settings, TestImages.FIRST, "first");
        var installation = new Installation(SortableId.next("test-"), "here");
        commands = new ContainerExec(settings);
        runtime = new DockerRuntime(settings, agent, installation);
        var command = List.of("sh", "-c", "id -u; pwd; echo $FROM_TEMPLATE; echo late >&2; echo x > note; sleep 60");
        var template = new Template(
                "test",
                "",
                Map.of("docker", TestImages.FIRST),
                Map.of("FROM_TEMPLATE", "yes"),
                List.of(),
                Resources.DEFAULT,
                command,
                Map.of(),
                Map.of(),
                List.of(ManagedHooks.values()),
                EgressPolicy.NOTHING);
        runtime.create(new InstanceSpec(id, "project", template, Resources.DEFAULT, Map.of(), "secret", null));
        runtime.start(id);
    }

    @AfterEach
    void remove() {
        if (runtime != null) {
            runtime.remove(id, false);
            assertThat(data.resolve("docker/run").resolve(id.value())).doesNotExist();
            runtime.close();
            commands.close();
        }
    }

    @Test
    void itRunsTheStartCommandAsTheWorkloadInTheWorkspace() throws InterruptedException {
        var lines = workloadLog();
        for (int i = 0; i < 100 && lines.size() < 4; i++) {
            Thread.sleep(50);
            lines = workloadLog();
        }
        assertThat(lines)
                .filteredOn(line -> line.stream().equals("stdout"))
                .extracting(LogLine::text)
                .containsExactly("1000", "/workspace", "yes");
        assertThat(lines)
                .filteredOn(line -> line.stream().equals("stderr"))
                .extracting(LogLine::text)
                .containsExactly("late");
        assertThat(shell(null, "cat /workspace/note").stdout()).isEqualTo("x\n");
    }

    @Test
    void onlyTheAgentReadsItsToken() throws Exception {
        assertThat(shell(null, "cat /run/bivouac/token").exitCode()).isNotZero();
        assertThat(shell("root", "cat /run/bivouac/token").stdout()).isEqualTo("secret");
        assertThat(shell("root", "echo x > /run/bivouac/token").exitCode()).isNotZero();
        assertThat(shell("root", "echo x > /run/bivouac/relay/socket").exitCode())
                .isNotZero();
        assertThat(shell("root", "echo x > /.bivouac/bivouac-agent").exitCode()).isNotZero();
        var token = data.resolve("docker/run").resolve(id.value()).resolve("token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
    }

    @Test
    void programsCanAskForPermissionAndAreDeniedWithoutARelay() {
        var asked = shell(null, "/.bivouac/bin/bivouac-ask --action deploy --timeout 1");
        assertThat(asked.exitCode()).isEqualTo(1);
        assertThat(asked.stderr()).contains("nobody answered in time");
        assertThat(shell("root", "echo x > /.bivouac/bin/bivouac-ask").exitCode())
                .isNotZero();
        assertThat(shell(null, "cat /etc/claude-code/managed-settings.json /etc/codex/requirements.toml")
                        .stdout())
                .contains("--hook claude", "--hook codex");
        assertThat(shell("root", "echo x > /etc/claude-code/managed-settings.json || rm -r /etc/codex")
                        .exitCode())
                .isNotZero();
    }

    @Test
    void itEndsSoonWhenAsked() {
        long start = System.nanoTime();
        runtime.stop(id, Duration.ofSeconds(20));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        var ended = runtime.get(id).orElseThrow();
        assertThat(ended.state()).isEqualTo(Instance.State.STOPPED);
        assertThat(ended.detail()).contains("exit code 0");
    }

    private List<LogLine> workloadLog() {
        return runtime.logs(id, new LogQuery(100, null, null)).stream()
                .filter(line -> !line.stream().equals("agent"))
                .toList();
    }

    private ExecResult shell(String user, String line) {
        var options = new ExecOptions(Map.of(), null, user, Duration.ofSeconds(20));
        return commands.run(id, List.of("sh", "-c", line), options);
    }
}
