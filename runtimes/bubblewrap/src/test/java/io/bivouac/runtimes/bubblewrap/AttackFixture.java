package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.runtimes.bubblewrap.cgroup.NoCgroups;
import io.bivouac.runtimes.bubblewrap.disk.DiskSettings;
import io.bivouac.runtimes.bubblewrap.disk.Disks;
import io.bivouac.runtimes.bubblewrap.linux.HostProcess;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Sandboxes to attack, whole ones and ones that lack a guard. */
abstract class AttackFixture {
    static final Resources SMALL = new Resources(1, 96L << 20, 64L << 20);

    private static TestMachine test;
    private static Machine machine;
    private final List<Runnable> removals = new ArrayList<>();

    @BeforeAll
    static void detect() throws IOException {
        test = new TestMachine();
        // No pool: each of the runtimes here would take the disk that is just being made for one that nobody uses.
        machine = Machine.detect(test.settings(0), test.agent.binary(), test.data, test.installation);
    }

    @AfterAll
    static void nothingIsLeft() throws IOException {
        if (machine != null) {
            machine.disks().close();
            test.close();
        }
    }

    @AfterEach
    void remove() {
        removals.forEach(Runnable::run);
    }

    static TestMachine test() {
        return test;
    }

    static Machine guarded() {
        return machine;
    }

    static Machine without(Guard... off) {
        return without(Set.of(off));
    }

    static Machine without(Set<Guard> off) {
        return new Machine(test.data, machine.cgroups(), machine.disks(), new Guards(off));
    }

    static Machine withoutCgroups() {
        return new Machine(test.data, new NoCgroups("a test wants none"), machine.disks(), Guards.ALL);
    }

    /** In a folder of its own, since another kind of disk is not recognised in this one. */
    static Machine withoutDiskLimit(TestMachine other) {
        return withoutDiskLimit(other, Guards.ALL);
    }

    static Machine withoutDiskLimit(TestMachine other, Guards guards) {
        var settings = new DiskSettings(
                DiskSettings.Kind.FOLDER, test.settings().firstUid(other.data), 16, 0, 1L << 30, Duration.ofMillis(1));
        return new Machine(other.data, machine.cgroups(), Disks.in(other.data, settings, Skeleton::furnish), guards);
    }

    Sandbox sandbox(Machine on) {
        return sandbox(on, Resources.DEFAULT);
    }

    Sandbox sandbox(Machine on, Resources resources) {
        return sandbox(on, resources, Template.HOST_ROOT);
    }

    Sandbox sandbox(Machine on, Resources resources, String root) {
        var target = created(on, resources, root);
        target.runtime().start(target.id());
        return target;
    }

    /** One for a program that brings a sandbox of its own. */
    Sandbox nested() {
        var target = created(guarded(), Resources.DEFAULT, Template.HOST_ROOT, true);
        target.runtime().start(target.id());
        return target;
    }

    /** One that does not run yet. */
    Sandbox created(Machine on, Resources resources, String root) {
        return created(on, resources, root, false);
    }

    private Sandbox created(Machine on, Resources resources, String root, boolean nested) {
        var runtime = test.runtime(on);
        var template = new Template(
                "attack",
                "to be attacked",
                Map.of(BubblewrapRuntime.NAME, root),
                Map.of(),
                List.of(),
                resources,
                List.of(),
                root.equals(Template.HOST_ROOT) ? Map.of("python", List.of("/usr/bin/python3")) : Map.of(),
                Map.of(),
                List.of(ManagedHooks.values()),
                EgressPolicy.NOTHING);
        var id = SandboxId.next();
        removals.add(() -> runtime.remove(id, false));
        runtime.create(TestRelay.expected(
                new InstanceSpec(id, "attack", template, resources, Map.of(), "replaced", null, nested)));
        return new Sandbox(runtime, id, on.data());
    }

    /** The attack fails against a whole sandbox and succeeds where the guard is missing: so it is that guard. */
    void fails(String attack, Machine withoutGuard) {
        fails(attack, withoutGuard, Resources.DEFAULT);
    }

    void fails(String attack, Machine withoutGuard, Resources resources) {
        var refused = sandbox(guarded(), resources).shell(attack);
        assertThat(refused.exitCode()).as("with the guard: %s", refused).isNotZero();
        var succeeded = sandbox(withoutGuard, resources).shell(attack);
        assertThat(succeeded.exitCode()).as("without the guard: %s", succeeded).isZero();
    }

    /**
     * The attack fails against a whole sandbox, fails as well where only one of these guards is left to hold it back,
     * and succeeds where none of them is: so each of them alone is enough.
     */
    void heldBy(@Nullable String user, String attack, Guard... guards) {
        refused("all guards", sandbox(guarded()).as(user, attack));
        for (var alone : guards) {
            var others = new HashSet<>(Set.of(guards));
            others.remove(alone);
            if (!others.isEmpty()) {
                refused(alone + " alone", sandbox(without(others)).as(user, attack));
            }
        }
        succeeded(List.of(guards), sandbox(without(guards)).as(user, attack));
    }

    static void refused(String with, ExecResult result) {
        assertThat(result.exitCode()).as("with %s: %s", with, result).isNotZero();
    }

    static void succeeded(Object without, ExecResult result) {
        assertThat(result.exitCode()).as("without %s: %s", without, result).isZero();
    }

    static String python(String program) {
        return "python - <<'END'\n" + program + "\nEND";
    }

    /** One to attack. */
    record Sandbox(BubblewrapRuntime runtime, SandboxId id, Path data) {
        ExecResult shell(String line) {
            return as(null, line);
        }

        ExecResult as(String user, String line) {
            var options = new ExecOptions(Map.of(), null, user, Duration.ofSeconds(30));
            return TestRelay.run(runtime, id, List.of("sh", "-c", line), options);
        }

        /** The agent's id on the host. */
        int init() {
            return HostProcess.read(new SandboxFolder(data.resolve("sandboxes").resolve(id.value())).agentPid())
                    .orElseThrow()
                    .pid();
        }

        /** What the host's root does to it from outside. */
        ExecResult fromOutside(String... command) throws Exception {
            var argv = new ArrayList<>(List.of("nsenter", "-t", Integer.toString(init()), "-m", "-p"));
            argv.addAll(List.of(command));
            var process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new ExecResult(process.waitFor(), said, "");
        }
    }
}
