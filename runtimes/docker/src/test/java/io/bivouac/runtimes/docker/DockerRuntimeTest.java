package io.bivouac.runtimes.docker;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.SandboxRuntimeContract;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a real engine; with the agent where it has been built. */
class DockerRuntimeTest extends SandboxRuntimeContract {
    private static final Installation OURS = new Installation(SortableId.next("test-"), "here");
    private static final Installation THEIRS = new Installation(SortableId.next("test-"), "here");

    @TempDir
    private static Path data;

    @TempDir
    private static Path sockets;

    private static DockerRuntime ours;
    private static DockerRuntime theirs;
    private static ContainerExec commands;

    @BeforeAll
    static void connect() {
        var settings = TestEngine.settings(data);
        TestImages.make(settings, TestImages.FIRST, "first");
        TestImages.make(settings, TestImages.SECOND, "second");
        commands = new ContainerExec(settings);
        ours = new DockerRuntime(settings, TestAgent.find(sockets), OURS);
        theirs = new DockerRuntime(settings, TestAgent.find(sockets), THEIRS);
    }

    @AfterAll
    static void disconnect() {
        if (ours != null) {
            ours.close();
            theirs.close();
            commands.close();
        }
    }

    @Override
    protected SandboxRuntime runtime() {
        return ours;
    }

    @Override
    protected Installation installation() {
        return OURS;
    }

    @Override
    protected SandboxRuntime anotherInstallation() {
        return theirs;
    }

    @Override
    protected String root() {
        return TestImages.FIRST;
    }

    @Override
    protected String otherRoot() {
        return TestImages.SECOND;
    }

    @Override
    protected String missingRoot() {
        return "bivouac-test:missing";
    }

    @Override
    protected ExecResult exec(SandboxId id, List<String> argv, ExecOptions options) {
        return commands.run(id, argv, options);
    }

    /** As the engine counts it. */
    @Override
    protected int exitCodeBySignal(int signal) {
        return 128 + signal;
    }
}
