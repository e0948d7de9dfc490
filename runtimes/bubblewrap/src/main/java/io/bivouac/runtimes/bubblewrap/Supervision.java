package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.runtimes.bubblewrap.linux.HostProcess;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.Spawn;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance.State;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Starts and ends the processes of sandboxes. All that it knows about them it reads from their folders. */
final class Supervision {
    private static final Duration LONGEST_START = Duration.ofSeconds(10);

    /** Until the supervisor has noticed the end and written down how it came. */
    private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(2);

    private static final Duration ASK_AGAIN = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final String HELD = "another supervisor holds this sandbox";

    private final Path agent;
    private final Cgroups cgroups;
    private final Set<SandboxId> starting = ConcurrentHashMap.newKeySet();

    Supervision(Path agent, Cgroups cgroups) {
        this.agent = agent;
        this.cgroups = cgroups;
    }

    Optional<HostProcess> process(SandboxFolder folder) {
        return HostProcess.read(folder.agentPid()).filter(HostProcess::isAlive);
    }

    State state(SandboxId id, SandboxFolder folder) {
        if (starting.contains(id) || process(folder).isPresent()) {
            return cgroups.isFrozen(id.value()) ? State.PAUSED : State.RUNNING;
        }
        return Files.exists(folder.supervisorPid()) ? State.STOPPED : State.CREATED;
    }

    void start(SandboxId id, SandboxFolder folder) {
        starting.add(id);
        try {
            spawn(id, folder);
            awaitAgent(id, folder);
        } finally {
            starting.remove(id);
        }
    }

    private void spawn(SandboxId id, SandboxFolder folder) {
        var argv = List.of(
                agent.toString(), "supervise", "--spec", folder.superviseSpec().toString());
        long deadline = System.nanoTime() + LONGEST_FAREWELL.toNanos();
        while (Spawn.run(argv, List.of("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), folder.superviseOutput()) != 0) {
            var message = read(folder.superviseOutput());
            // The one before has nothing left to hold up, and is about to go.
            if (!message.contains(HELD) || System.nanoTime() - deadline > 0) {
                throw new RuntimeFailure("cannot start " + id + ": " + message);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static void awaitAgent(SandboxId id, SandboxFolder folder) {
        if (!await(LONGEST_START, () -> Files.exists(folder.agentPid()) || Files.exists(folder.exit()))) {
            throw new RuntimeFailure("cannot start " + id + ": bubblewrap does not come to an end");
        }
        if (!Files.exists(folder.agentPid())) {
            throw new RuntimeFailure("cannot start " + id + ": "
                    + Exit.read(folder).map(Exit::message).orElse("bubblewrap said nothing"));
        }
    }

    /** Asks first. What has not ended after the grace, and whatever else is left, is killed. */
    void stop(SandboxId id, SandboxFolder folder, Duration grace) {
        // Frozen processes hear no signal.
        cgroups.thaw(id.value());
        process(folder).ifPresent(agentProcess -> end(id, agentProcess, grace));
        // Bubblewrap is in the group too: killed before it has told how its agent ended, it would tell of the kill.
        await(LONGEST_FAREWELL, () -> Files.exists(folder.exit()) || !supervisorLives(folder));
        cgroups.killAll(id.value());
    }

    private static void end(SandboxId id, HostProcess agentProcess, Duration grace) {
        if (grace.isPositive()) {
            askToEnd(agentProcess, grace);
        }
        // The first process of its namespace: all others end with it.
        agentProcess.signal(Libc.SIGKILL);
        if (!await(LONGEST_START, () -> !agentProcess.isAlive())) {
            throw new RuntimeFailure("the processes of " + id + " do not end");
        }
    }

    /** More than once: an agent that has only just begun does not hear it yet. */
    private static void askToEnd(HostProcess process, Duration grace) {
        long deadline = System.nanoTime() + grace.toNanos();
        while (process.isAlive() && System.nanoTime() - deadline < 0) {
            process.signal(Libc.SIGTERM);
            var rest = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            await(rest.compareTo(ASK_AGAIN) < 0 ? rest : ASK_AGAIN, () -> !process.isAlive());
        }
    }

    private static boolean supervisorLives(SandboxFolder folder) {
        return Files.exists(Path.of("/proc", read(folder.supervisorPid()), "exe"));
    }

    private static boolean await(Duration longest, BooleanSupplier condition) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException none) {
            return "";
        }
    }
}
