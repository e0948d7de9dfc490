package io.bivouac.agentlink;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder that every local sandbox sees, with one socket for each relay in it. */
final class SocketFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SocketFolder.class);
    static final String SUFFIX = ".sock";

    /** The kernel's bound on a Unix socket's path, without its end mark. */
    private static final int LONGEST_PATH = 107;

    private final Path folder;

    SocketFolder(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    /** Where this relay's socket goes, with the dead ones out of the way. */
    Path prepare(RelayId relay) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        removeDead();
        var socket = folder.resolve(relay + SUFFIX);
        if (socket.toString().length() > LONGEST_PATH) {
            throw new IOException("the path " + socket + " is longer than the " + LONGEST_PATH
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

    private static boolean answers(Path socket) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException nobodyThere) {
            return false;
        }
    }
}
