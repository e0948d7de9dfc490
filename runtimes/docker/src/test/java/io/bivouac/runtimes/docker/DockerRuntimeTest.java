package io.bivouac.runtimes.docker;

import io.bivouac.sandboxes.SortableId;
import io.bivouac.sandboxes.runtime.Installation;
import io.bivouac.sandboxes.runtime.SandboxRuntime;
import io.bivouac.sandboxes.runtime.SandboxRuntimeContract;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a real engine. */
class DockerRuntimeTest extends SandboxRuntimeContract {
    private static final Installation OURS = new Installation(SortableId.next("test-"), "here");
    private static final Installation THEIRS = new Installation(SortableId.next("test-"), "here");

    @TempDir
    private static Path data;

    private static DockerRuntime ours;
    private static DockerRuntime theirs;

    @BeforeAll
    static void connect() {
        var settings = TestEngine.settings(data);
        TestImages.make(settings, TestImages.FIRST, "first");
        TestImages.make(settings, TestImages.SECOND, "second");
        ours = new DockerRuntime(settings, Optional.empty(), OURS);
        theirs = new DockerRuntime(settings, Optional.empty(), THEIRS);
    }

    @AfterAll
    static void disconnect() {
        if (ours != null) {
            ours.close();
            theirs.close();
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

    /** As the engine counts it. */
    @Override
    protected int exitCodeBySignal(int signal) {
        return 128 + signal;
    }
}
