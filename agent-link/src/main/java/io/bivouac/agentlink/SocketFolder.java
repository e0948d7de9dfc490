package io.bivouac.agentlink;

import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder where relays of this machine listen: each has a socket in it, which other relays use, and one in the folder
 * of each sandbox, which is all that the sandbox sees.
 */
final class SocketFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SocketFolder.class);
    static final String SUFFIX = ".sock";

    /** The kernel's bound on a Unix socket's path, without its end mark. */
    private static final int LONGEST_PATH = 107;

    /** Of a relay's id, to tell the relays of one machine apart. */
    private static final int NAME_INSIDE = 8;

    private final Path folder;

    SocketFolder(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    Path path() {
        return folder;
    }

    /** The name of a relay's socket in the folders of sandboxes, where paths are longer; without its end. */
    static String nameInside(String relay) {
        return relay.substring(relay.length() - NAME_INSIDE);
    }

    /** Where this relay's socket goes, with the dead ones out of the way. */
    Path prepare(RelayId relay) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        removeDead();
        var socket = folder.resolve(relay + SUFFIX);
        var longest = folder.resolve(SandboxId.next().value()).resolve(nameInside(relay.value()) + SUFFIX);
        if (longest.toString().length() > LONGEST_PATH) {
            throw new IOException("the path " + longest + " is longer than the " + LONGEST_PATH
                    + " characters that a Unix socket may have; choose a shorter bivouac.agent.socket-folder");
        }
        return socket;
    }

    /** Each sandbox's agent has a uid of its own, so the token decides, not the file's mode. */
    void open(Path socket) throws IOException {
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    private void removeDead() throws IOException {
        try (var sockets = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (var socket : sockets) {
                if (!answers(socket)) {
                    LOG.info("Removing the socket of a relay that is gone: {}", socket.getFileName());
                    Files.deleteIfExists(socket);
                }
            }
        }
    }

    /** Of a sandbox's folder: a relay that lives has its own socket beside that folder, and had it first. */
    void removeDead(Path inside) throws IOException {
        try (var sockets = Files.newDirectoryStream(inside, "*" + SUFFIX)) {
            for (var socket : sockets) {
                if (!lives(socket.getFileName().toString())) {
                    Files.deleteIfExists(socket);
                }
            }
        }
    }

    private boolean lives(String socketInside) throws IOException {
        try (var relays = Files.newDirectoryStream(folder, "*" + socketInside)) {
            return relays.iterator().hasNext();
        }
    }

    private static boolean answers(Path socket) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException nobodyThere) {
            return false;
        }
    }
}
