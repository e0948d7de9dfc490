package io.bivouac.runtimes.kubernetes;

import io.bivouac.runtimes.kubernetes.KubernetesSettings.Workspace;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.SandboxRuntimeContract;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract, on a real cluster, with workspaces that last. */
class KubernetesRuntimeTest extends SandboxRuntimeContract {
    private static final Installation OURS = new Installation(SortableId.next("ins_"), "here");
    private static final Installation THEIRS = new Installation(SortableId.next("ins_"), "here");

    private static KubernetesRuntime ours;
    private static KubernetesRuntime theirs;

    @BeforeAll
    static void connect() {
        var settings = TestRuntimes.settings();
        settings.setWorkspace(Workspace.VOLUME);
        ours = TestRuntimes.runtime(settings, OURS);
        theirs = TestRuntimes.runtime(settings, THEIRS);
    }

    @AfterAll
    static void disconnect() {
        if (theirs != null) {
            ours.close();
            theirs.close();
        }
    }

    @Override
    protected SandboxRuntime runtime() {
        return new KnownToRelay(ours);
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
        return TestRuntimes.FIRST;
    }

    @Override
    protected String otherRoot() {
        return TestRuntimes.SECOND;
    }

    @Override
    protected String missingRoot() {
        return "localhost/bivouac-test:missing";
    }

    @Override
    protected ExecResult exec(SandboxId id, List<String> argv, ExecOptions options) {
        return TestRelay.run(ours, id, argv, options);
    }
}
