package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What root inside does to the socket by which its agent reaches the relay. */
class RelaySocketAttacksTest extends AttackFixture {
    private static final int CREATES = 8;

    /** Connects from many processes, holds what it gets, and begins again; says so when all of them are at it. */
    private static final String FLOOD = python("""
            import glob, os, socket, sys, time
            path = glob.glob('/run/bivouac/relay/*.sock')[0]
            def flood(told):
                held = []
                while True:
                    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                    held.append(one)
                    if told is not None:
                        os.write(told, b'x')
                        told = None
                    one.connect(path)
                    if len(held) == 200:
                        for other in held:
                            other.close()
                        held = []
            ours, theirs = os.pipe()
            for i in range(100):
                if os.fork() == 0:
                    os.setsid()
                    for descriptor in (0, 1, 2):
                        os.close(descriptor)
                    flood(theirs)
            begun = 0
            while begun < 100:
                begun += len(os.read(ours, 100))
            print('begun')""");

    @Test
    void aFloodOfConnectionsKeepsNoOtherSandboxWaiting() {
        var flooding = sandbox(guarded());
        assertThat(flooding.as("root", FLOOD).stdout()).contains("begun");
        for (int i = 0; i < CREATES; i++) {
            var other = sandbox(guarded());
            assertThat(other.shell("echo here").stdout()).isEqualTo("here\n");
            assertThat(other.runtime().logs(other.id(), new LogQuery(100, null, null)))
                    .extracting(LogLine::text)
                    .anyMatch(line -> line.contains("registered at the relay"))
                    .noneMatch(line -> line.contains("no relay at"));
        }
    }

    @Test
    void aSandboxSeesTheSocketsOfNoOther() throws IOException {
        var neighbour = sandbox(guarded());
        var whole = sandbox(guarded());
        succeeded("its own", whole.as("root", "ls /run/bivouac/relay/*.sock"));
        refused("a neighbour's", whole.as("root", "ls -R /run/bivouac/relay | grep " + neighbour.id()));
        refused("to everybody else", whole.shell("ls /run/bivouac/relay"));
    }

    @Test
    void whatItsSocketsLieInGoesWithIt() throws IOException {
        var stopped = created(guarded(), Resources.DEFAULT, Template.HOST_ROOT);
        var folder = TestRelay.sockets().resolve(stopped.id().value());
        stopped.runtime().start(stopped.id());
        assertThat(stopped.shell("true").exitCode()).isZero();
        assertThat(folder).isDirectory();
        stopped.runtime().stop(stopped.id(), Duration.ZERO);
        assertThat(folder).doesNotExist();
        stopped.runtime().start(stopped.id());
        assertThat(stopped.shell("true").exitCode()).isZero();
        stopped.runtime().remove(stopped.id(), false);
        assertThat(Files.exists(folder)).isFalse();
    }
}
