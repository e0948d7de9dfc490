package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.SandboxRuntimeContract;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract, with a real bubblewrap. */
class BubblewrapRuntimeTest extends SandboxRuntimeContract {
    private static TestMachine ours;
    private static TestMachine theirs;
    private static BubblewrapRuntime runtime;
    private static BubblewrapRuntime stranger;

    @BeforeAll
    static void start() throws IOException {
        ours = new TestMachine();
        theirs = new TestMachine();
        runtime = ours.runtime();
        stranger = theirs.runtime();
        TestTree.make(ours.data.resolve("tree"));
    }

    @AfterAll
    static void end() throws IOException {
        if (stranger != null) {
            runtime.close();
            stranger.close();
            ours.close();
            theirs.close();
        }
    }

    @Override
    protected SandboxRuntime runtime() {
        return new KnownToRelay(runtime);
    }

    @Override
    protected Installation installation() {
        return ours.installation;
    }

    @Override
    protected SandboxRuntime anotherInstallation() {
        return stranger;
    }

    @Override
    protected String root() {
        return Template.HOST_ROOT;
    }

    @Override
    protected String otherRoot() {
        return ours.data.resolve("tree").toString();
    }

    @Override
    protected String missingRoot() {
        return "/nonexistent/tree";
    }

    @Override
    protected ExecResult exec(SandboxId id, List<String> argv, ExecOptions options) {
        return TestRelay.run(runtime, id, argv, options);
    }

    @Test
    void nothingIsRememberedOfOneThatIsRemoved() {
        var id = started(spec());
        runtime().stats(id);
        assertThat(runtime.isMetered(id)).isTrue();
        runtime().remove(id, false);
        assertThat(runtime.isMetered(id)).isFalse();
    }
}
