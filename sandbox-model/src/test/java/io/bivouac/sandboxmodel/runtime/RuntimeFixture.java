package io.bivouac.sandboxmodel.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.template.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** What a runtime's test class gives to the contracts, and what the contracts share. */
public abstract class RuntimeFixture {
    protected static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);
    private static final String PROJECT = "contract";

    private final List<SandboxId> made = Collections.synchronizedList(new ArrayList<>());

    /** The runtime under test, the same object throughout a test. */
    protected abstract SandboxRuntime runtime();

    /** Whose instances {@link #runtime()} makes. */
    protected abstract Installation installation();

    /** The same engine on the same machine, used by another installation. */
    protected abstract SandboxRuntime anotherInstallation();

    /** A root with sh, cat, echo, head, id, printf, pwd, sleep and tr. */
    protected abstract String root();

    /** Another root with the same commands. */
    protected abstract String otherRoot();

    /** The name of a root that does not exist. */
    protected abstract String missingRoot();

    /** Runs a command to its end: by the agent in the instance, or by the runtime's own tool. */
    protected abstract ExecResult exec(SandboxId id, List<String> argv, ExecOptions options);

    /** What a command that was ended by a signal is reported as. */
    protected int exitCodeBySignal(int signal) {
        return -signal;
    }

    @AfterEach
    void removeAll() {
        for (var id : made) {
            runtime().remove(id, false);
            runtime().removeKeptData(id);
        }
    }

    protected final InstanceSpec spec() {
        return spec(List.of());
    }

    protected final InstanceSpec spec(List<String> startCommand) {
        return spec(startCommand, Resources.DEFAULT);
    }

    protected final InstanceSpec spec(List<String> startCommand, Resources resources) {
        var id = SandboxId.next();
        made.add(id);
        return new InstanceSpec(
                id,
                PROJECT,
                template(root(), startCommand),
                resources,
                Map.of("FROM_CREATE", "yes"),
                "token-of-" + id,
                null);
    }

    protected final InstanceSpec takingOver(SandboxId before) {
        var spec = spec();
        return new InstanceSpec(
                spec.id(), spec.project(), spec.template(), spec.resources(), spec.envs(), spec.joinToken(), before);
    }

    protected final InstanceSpec withRoot(String root, InstanceSpec spec) {
        return new InstanceSpec(
                spec.id(),
                spec.project(),
                template(root, spec.template().startCommand()),
                spec.resources(),
                spec.envs(),
                spec.joinToken(),
                spec.workspaceOf());
    }

    protected final InstanceSpec ofProject(String project, InstanceSpec spec) {
        return new InstanceSpec(
                spec.id(),
                project,
                spec.template(),
                spec.resources(),
                spec.envs(),
                spec.joinToken(),
                spec.workspaceOf());
    }

    private Template template(String root, List<String> startCommand) {
        return new Template(
                "contract",
                "for the contract",
                Map.of(runtime().name(), root),
                Map.of("FROM_TEMPLATE", "yes"),
                List.of(8000),
                Resources.DEFAULT,
                startCommand,
                Map.of("sh", List.of("/bin/sh")));
    }

    protected static List<String> command(String... argv) {
        return List.of(argv);
    }

    protected final SandboxId started(InstanceSpec spec) {
        runtime().create(spec);
        runtime().start(spec.id());
        return spec.id();
    }

    protected final Instance.State stateOf(SandboxId id) {
        return runtime().get(id).orElseThrow().state();
    }

    protected static Instance listed(SandboxRuntime runtime, SandboxId id) {
        return runtime.list().stream()
                .filter(instance -> instance.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    protected final ExecResult run(SandboxId id, String line) {
        return exec(id, List.of("sh", "-c", line), ExecOptions.defaults());
    }

    /** The output of a shell line that must succeed. */
    protected final String shell(SandboxId id, String line) {
        var result = run(id, line);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        return result.stdout().strip();
    }

    /** What the workload wrote, without what an agent says about itself. */
    protected final List<LogLine> workloadLog(SandboxId id, int tail) {
        return runtime().logs(id, new LogQuery(tail, null, null)).stream()
                .filter(line -> !line.stream().equals("agent"))
                .toList();
    }

    /** Asks until the answer is good, and gives the last answer in any case. */
    protected static <T> T eventually(Supplier<T> question, Predicate<T> good) {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        var answer = question.get();
        while (!good.test(answer) && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(20).toNanos());
            answer = question.get();
        }
        return answer;
    }
}
