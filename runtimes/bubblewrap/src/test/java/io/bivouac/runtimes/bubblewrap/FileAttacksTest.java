package io.bivouac.runtimes.bubblewrap;

import static io.bivouac.runtimes.bubblewrap.Guard.OWN_ROOT;
import static io.bivouac.runtimes.bubblewrap.Guard.READ_ONLY;
import static io.bivouac.runtimes.bubblewrap.Guard.USER_RANGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a workload tries in order to reach files and sockets of the host, or to change what it may only read. */
class FileAttacksTest extends AttackFixture {
    /** Open to everybody on the host, so that nothing but the sandbox's walls is in the way. */
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("/var/lib"), "bivouac-attack");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("secret"), "secret");
    }

    @AfterEach
    void removeFolder() {
        Removal.delete(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat FOLDER/secret",
                "cat /workspace/../../../..FOLDER/secret",
                "cat /proc/self/root/FOLDER/secret",
                "cat /proc/self/cwd/../FOLDER/secret",
                "cd /workspace && ln -sfn FOLDER/secret link && cat link",
                "cd /workspace && ln -sfn ../../..FOLDER link && cat link/secret",
                "cd /tmp && ln -sfn / root && cat root/FOLDER/secret"
            })
    void noPathLeadsToTheHostsFiles(String attack) {
        heldBy(null, attack.replace("FOLDER", folder.toString()), OWN_ROOT);
    }

    @Test
    void noSocketOfTheHostIsReached() throws IOException {
        var socket = folder.resolve("socket");
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            var attack = python("import socket\nsocket.socket(socket.AF_UNIX).connect('" + socket + "')");
            heldBy(null, attack, OWN_ROOT);
        }
    }

    /** Names in the abstract namespace belong to the network's. */
    @Test
    void noAbstractSocketOfTheHostIsReached() throws Exception {
        var name = folder.getFileName().toString();
        var listen = "import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0" + name
                + "')\ns.listen()\nprint('ready', flush=True)\nsys.stdin.read()";
        var host = new ProcessBuilder("/usr/bin/python3", "-c", listen).start();
        try {
            assertThat(host.inputReader().readLine()).isEqualTo("ready");
            var attack = python("import socket\nsocket.socket(socket.AF_UNIX).connect('\\0" + name + "')");
            heldBy(null, attack, Guard.NETWORK);
        } finally {
            host.destroyForcibly().waitFor();
        }
    }

    /** An image that many sandboxes share, and what is laid over it. */
    @ParameterizedTest
    @ValueSource(strings = {"/bin", "/etc", "/", "/home"})
    void theImageIsNotChanged(String place) throws IOException {
        var tree = TestTree.make(folder.resolve("tree"));
        Files.createDirectories(tree.resolve("home"));
        for (var path : new Path[] {tree.resolve("bin"), tree.resolve("etc"), tree.resolve("home")}) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        var attack = "echo x > " + place + "/planted";
        var whole = sandbox(guarded(), Resources.DEFAULT, tree.toString());
        refused("the guard", whole.as("root", attack));
        var open = sandbox(without(READ_ONLY), Resources.DEFAULT, tree.toString());
        succeeded(READ_ONLY, open.as("root", attack));
    }

    /** What the host's own files are to a sandbox: readable, and out of reach by owner and by mount. */
    @Test
    void theAgentsProgramIsNotReplaced() {
        var attack = "cp /usr/bin/true /.bivouac/bivouac-agent";
        refused("all guards", sandbox(guarded()).as("root", attack));
        refused("its owner alone", sandbox(without(READ_ONLY)).as("root", attack));
        // The same rights, without the harm to those who use it after this test.
        heldBy("root", "touch -c /.bivouac/bivouac-agent", READ_ONLY, USER_RANGE);
    }

    @Test
    void theSettingsThatMakeProgramsAskAreThereAndStay() throws IOException {
        var read = "cat /etc/claude-code/managed-settings.json /etc/codex/requirements.toml";
        var attack = "echo '{}' > /etc/claude-code/managed-settings.json || rm -r /etc/codex"
                + " || ln -sf /usr/bin/true /.bivouac/bin/bivouac-ask || mv /etc/claude-code /etc/other";
        var tree = TestTree.make(folder.resolve("tree"));
        for (var root : new String[] {Template.HOST_ROOT, tree.toString()}) {
            var sandbox = sandbox(guarded(), Resources.DEFAULT, root);
            assertThat(sandbox.as(null, read).stdout()).contains("--hook claude", "--hook codex");
            refused("the guard", sandbox.as("root", attack));
        }
        heldBy(
                "root",
                "touch -c /etc/claude-code/managed-settings.json /etc/codex/requirements.toml",
                READ_ONLY,
                USER_RANGE);
    }

    @Test
    void whoAsksForPermissionWhereNobodyListensIsDenied() {
        var asked = sandbox(guarded()).as(null, "bivouac-ask --action deploy --timeout 1");
        assertThat(asked.exitCode()).isEqualTo(1);
        assertThat(asked.stderr()).contains("nobody answered in time");
    }
}
