package io.bivouac.terminalrelay.testing;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A WebSocket by hand: for clients that no library would let us be. Frames of the binary protocol, none fragmented. */
public final class RawSocket implements AutoCloseable {
    private static final int BINARY = 2;
    private static final int CLOSE = 8;

    private final Socket line;
    private final DataInputStream input;

    /** One message of the server: a frame's kind, and what it carries. */
    public record Message(int kind, byte[] payload) {
        public boolean isClose() {
            return kind == CLOSE;
        }
    }

    private RawSocket(Socket line) throws IOException {
        this.line = line;
        input = new DataInputStream(line.getInputStream());
    }

    /** Asks for a WebSocket and waits for nothing. */
    public static RawSocket ask(Http http, String path) throws IOException {
        var base = URI.create(http.base());
        var socket = new RawSocket(new Socket(base.getHost(), base.getPort()));
        var request = "GET /api/v1/sandboxes/" + path + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\nX-API-Key: "
                + http.key() + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Protocol: " + io.bivouac.terminalrelay.testing.Socket.BINARY + "\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        socket.line.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** The first byte of the answer, whatever it is. */
    public int firstByte() throws IOException {
        return input.read();
    }

    public RawSocket opened() throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) input.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new IllegalStateException(head.toString());
        }
        return this;
    }

    public void send(int type, byte[] payload) throws IOException {
        write(BINARY, ByteBuffer.allocate(9 + payload.length).put((byte) type).putLong(0).put(payload).array());
    }

    public void sendClose() throws IOException {
        write(CLOSE, new byte[] {3, (byte) 0xe8});
    }

    /** With a mask of zeros, which leaves everything as it is. */
    private void write(int kind, byte[] bytes) throws IOException {
        var frame = ByteBuffer.allocate(14 + bytes.length)
                .put((byte) (0x80 | kind))
                .put((byte) (0x80 | 127));
        line.getOutputStream().write(frame.putLong(bytes.length).putInt(0).put(bytes).array());
    }

    public Message read() throws IOException {
        int kind = input.readUnsignedByte() & 0xf;
        int length = input.readUnsignedByte();
        if (length == 126) {
            length = input.readUnsignedShort();
        } else if (length == 127) {
            length = Math.toIntExact(input.readLong());
        }
        return new Message(kind, input.readNBytes(length));
    }

    /** Whether the server has ended the connection in order, after all that it had said. */
    public boolean isAtEnd() throws IOException {
        return input.read() < 0;
    }

    /** Gone at once, with a reset. */
    public void reset() throws IOException {
        line.setSoLinger(true, 0);
        line.close();
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
