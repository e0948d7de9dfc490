package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.runtimes.bubblewrap.cgroup.NoCgroups;
import io.bivouac.runtimes.bubblewrap.disk.DiskSettings;
import io.bivouac.runtimes.bubblewrap.disk.Disks;
import io.bivouac.sandboxes.Resources;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.runtime.ExecOptions;
import io.bivouac.sandboxes.runtime.ExecResult;
import io.bivouac.sandboxes.runtime.InstanceSpec;
import io.bivouac.sandboxes.template.Template;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
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
        machine = Machine.detect(test.settings(), test.data, test.installation);
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

    static Machine without(UnaryOperator<Guards> change) {
        return new Machine(test.data, machine.cgroups(), machine.disks(), change.apply(Guards.ALL));
    }

    static Guards inner(boolean seccomp, boolean noNewPrivs, boolean dropCapabilities, boolean switchUser) {
        return new Guards(
                Guards.ALL.outer(), new Guards.Inner(seccomp, noNewPrivs, dropCapabilities, switchUser, false));
    }

    static Guards outer(boolean network, boolean pids, boolean ipc, boolean uts, boolean cgroup, boolean userRange) {
        return new Guards(new Guards.Outer(network, pids, ipc, uts, cgroup, userRange, true), Guards.ALL.inner());
    }

    static Machine withoutCgroups() {
        return new Machine(test.data, new NoCgroups("a test wants none"), machine.disks(), Guards.ALL);
    }

    /** In a folder of its own, since another kind of disk is not recognised in this one. */
    static Machine withoutDiskLimit(TestMachine other) {
        var settings = new DiskSettings(
                DiskSettings.Kind.FOLDER, test.settings().firstUid(other.data), 16, 0, 1L << 30, Duration.ofMillis(1));
        return new Machine(
                other.data, machine.cgroups(), Disks.in(other.data, settings, Skeleton::furnish), Guards.ALL);
    }

    Sandbox sandbox(Machine on) {
        return sandbox(on, Resources.DEFAULT);
    }

    Sandbox sandbox(Machine on, Resources resources) {
        var runtime = test.runtime(TestRelay::link, on);
        var template = new Template(
                "attack",
                "to be attacked",
                Map.of(BubblewrapRuntime.NAME, Template.HOST_ROOT),
                Map.of(),
                List.of(),
                resources,
                List.of(),
                Map.of("python", List.of("/usr/bin/python3")));
        var id = SandboxId.next();
        removals.add(() -> runtime.remove(id, false));
        runtime.create(
                TestRelay.expected(new InstanceSpec(id, "attack", template, resources, Map.of(), "replaced", null)));
        runtime.start(id);
        return new Sandbox(runtime, id);
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

    static String python(String program) {
        return "python - <<'END'\n" + program + "\nEND";
    }

    /** One to attack. */
    record Sandbox(BubblewrapRuntime runtime, SandboxId id) {
        ExecResult shell(String line) {
            return as(null, line);
        }

        ExecResult as(String user, String line) {
            var options = new ExecOptions(Map.of(), null, user, Duration.ofSeconds(30));
            return runtime.exec(id, List.of("sh", "-c", line), options);
        }
    }
}
