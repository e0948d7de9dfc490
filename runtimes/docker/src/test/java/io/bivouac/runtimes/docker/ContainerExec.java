package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands in containers under test by the engine's own exec, with or without an agent inside. The engine reports an end by signal n as 128+n, which a command can
 * return too, so the number is passed on as it is.
 */
final class ContainerExec implements AutoCloseable {
    private static final int POLL_MILLIS = 10;
    private static final int LONGEST_POLL_MILLIS = 5_000;

    private final Engine engine;

    ContainerExec(DockerSettings settings) {
        this.engine = new Engine(settings);
    }

    ExecResult run(SandboxId id, List<String> argv, ExecOptions options) {
        var container = engine.call(
                "find " + id,
                docker -> docker.inspectContainerCmd("bivouac-" + id).exec().getId());
        var exec = create(id, container, argv, options);
        var output = new Output();
        return engine.call("run a command in " + id, ignored -> {
            try (var reading = engine.patient().execStartCmd(exec).exec(output)) {
                if (!reading.awaitCompletion(options.timeout().toMillis(), TimeUnit.MILLISECONDS)
                        && inspect(exec).isRunning()) {
                    throw timedOut(id, container, exec, argv, options);
                }
                return new ExecResult(exitCode(exec), output.stdout.text(), output.stderr.text());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RuntimeFailure("Waiting for a command in " + id + " was interrupted.", e);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private String create(SandboxId id, String container, List<String> argv, ExecOptions options) {
        var user = user(options.user());
        var environment = new ArrayList<String>();
        if (user.equals(Workload.USER)) {
            environment.add("HOME=" + Workload.HOME);
        }
        environment.addAll(ContainerRecipe.asList(options.envs()));
        var folder = options.workingFolder();
        return engine.call("run a command in " + id, docker -> {
            try {
                return docker.execCreateCmd(container)
                        .withCmd(argv.toArray(String[]::new))
                        .withEnv(environment)
                        .withWorkingDir(folder == null ? Workload.WORKSPACE : folder)
                        .withUser(user)
                        .withAttachStdout(true)
                        .withAttachStderr(true)
                        .exec()
                        .getId();
            } catch (ConflictException e) {
                throw new RuntimeFailure(id + " is not running.", e);
            }
        });
    }

    private static String user(@Nullable String asked) {
        if (asked == null || asked.isEmpty()) {
            return Workload.USER;
        }
        if (!Workload.isUser(asked)) {
            throw new RuntimeFailure("'" + asked + "' is no user: give a name, a uid or UID:GID.");
        }
        return asked;
    }

    private RuntimeFailure timedOut(
            SandboxId id, String container, String exec, List<String> argv, ExecOptions options) {
        var pid = inspect(exec).getPidLong();
        boolean ended = pid != null && ExecProcess.end(pid, container);
        return new RuntimeFailure("The command " + argv.getFirst() + " in " + id + " did not end within "
                + options.timeout().toMillis() + " ms and was "
                + (ended ? "killed." : "left running: this process may not kill the engine's."));
    }

    /** The stream may end a moment before the engine has noted how. */
    private int exitCode(String exec) throws InterruptedException {
        for (int waited = 0; waited < LONGEST_POLL_MILLIS; waited += POLL_MILLIS) {
            var inspected = inspect(exec);
            if (!inspected.isRunning() && inspected.getExitCodeLong() != null) {
                return inspected.getExitCodeLong().intValue();
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new RuntimeFailure("Docker does not say how the command ended.");
    }

    private InspectExecResponse inspect(String exec) {
        return engine.call(
                "look at a command", docker -> docker.inspectExecCmd(exec).exec());
    }

    @Override
    public void close() {
        engine.close();
    }

    private static final class Output extends ResultCallback.Adapter<Frame> {
        private final BoundedOutput stdout = new BoundedOutput(ExecOptions.LARGEST_OUTPUT);
        private final BoundedOutput stderr = new BoundedOutput(ExecOptions.LARGEST_OUTPUT);

        @Override
        public void onNext(Frame frame) {
            (frame.getStreamType() == StreamType.STDERR ? stderr : stdout).add(frame.getPayload());
        }
    }
}
