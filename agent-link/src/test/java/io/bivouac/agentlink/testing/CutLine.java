package io.bivouac.agentlink.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The line between agents and a relay, which a test cuts: what is under way is lost, and new calls get through again. */
public final class CutLine implements AutoCloseable {
    private final Path folder;
    private final Path relay;
    private final ServerSocketChannel server;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

    private CutLine(Path folder, Path relay, ServerSocketChannel server) {
        this.folder = folder;
        this.relay = relay;
        this.server = server;
    }

    public static CutLine to(TestRelay relay) throws IOException {
        try (var sockets = Files.list(relay.sockets())) {
            var folder = Files.createTempDirectory("cut-line");
            var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(folder.resolve("line.sock")));
            var line = new CutLine(folder, sockets.findFirst().orElseThrow(), server);
            Thread.ofVirtual().start(line::accept);
            return line;
        }
    }

    /** Where an agent finds the line instead of the relay. */
    public Path sockets() {
        return folder;
    }

    public void cut() {
        open.forEach(CutLine::close);
        open.clear();
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                var agent = server.accept();
                var onward = SocketChannel.open(UnixDomainSocketAddress.of(relay));
                open.add(agent);
                open.add(onward);
                Thread.ofVirtual().start(() -> copy(agent, onward));
                Thread.ofVirtual().start(() -> copy(onward, agent));
            } catch (IOException closed) {
                // The test is over, or the relay is away and the agent will try again.
            }
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        var piece = ByteBuffer.allocate(64 * 1024);
        try {
            while (from.read(piece) >= 0) {
                piece.flip();
                while (piece.hasRemaining()) {
                    to.write(piece);
                }
                piece.clear();
            }
        } catch (IOException cut) {
            // Seen by both ends below.
        }
        close(from);
        close(to);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
        Files.deleteIfExists(folder.resolve("line.sock"));
        Files.deleteIfExists(folder);
    }
}
