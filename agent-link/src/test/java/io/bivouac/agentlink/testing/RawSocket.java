package io.bivouac.agentlink.testing;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A WebSocket by hand: for clients that no library would let us be. Frames of the binary protocol, none fragmented. */
public final class RawSocket implements AutoCloseable {
    private static final int BINARY = 2;
    private static final int CLOSE = 8;

    /** Says that the length follows in two bytes. */
    private static final int SHORT = 126;

    private static final int LONGEST_SILENCE_MILLIS = 60_000;

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
        line.setSoTimeout(LONGEST_SILENCE_MILLIS);
        input = new DataInputStream(line.getInputStream());
    }

    /**
     * Asks for a WebSocket and waits for nothing.
     *
     * @param more headers, each with its end of line
     */
    public static RawSocket ask(Http http, String path, String more) throws IOException {
        var base = URI.create(http.base());
        var socket = new RawSocket(new Socket(base.getHost(), base.getPort()));
        var whole = path.startsWith("/") ? path : "/api/v1/sandboxes/" + path;
        var request = "GET " + whole + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\nX-API-Key: "
                + http.key() + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + more
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        socket.line.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** The first byte of the answer, whatever it is. */
    public int firstByte() throws IOException {
        return input.read();
    }

    /** The head of the answer. */
    public String answer() throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) input.readUnsignedByte());
        }
        return head.toString();
    }

    public RawSocket opened() throws IOException {
        var head = answer();
        if (!head.startsWith("HTTP/1.1 101")) {
            throw new IllegalStateException(head);
        }
        return this;
    }

    /** Whatever it is. */
    public void write(byte[] bytes) throws IOException {
        line.getOutputStream().write(bytes);
    }

    /** Reads until there is nothing more, and looks at none of it. */
    public void skipAll() throws IOException {
        input.transferTo(OutputStream.nullOutputStream());
    }

    public void send(int type, byte[] payload) throws IOException {
        write(
                BINARY,
                ByteBuffer.allocate(9 + payload.length)
                        .put((byte) type)
                        .putLong(0)
                        .put(payload)
                        .array());
    }

    public void sendClose() throws IOException {
        write(CLOSE, new byte[] {3, (byte) 0xe8});
    }

    /** With a mask of zeros, which leaves everything as it is, and the shortest length that fits. */
    private void write(int kind, byte[] bytes) throws IOException {
        var frame = ByteBuffer.allocate(8 + bytes.length).put((byte) (0x80 | kind));
        if (bytes.length < SHORT) {
            frame.put((byte) (0x80 | bytes.length));
        } else {
            frame.put((byte) (0x80 | SHORT)).putShort((short) bytes.length);
        }
        frame.putInt(0).put(bytes).flip();
        line.getOutputStream().write(frame.array(), 0, frame.limit());
    }

    public Message read() throws IOException {
        int kind = input.readUnsignedByte() & 0xf;
        int length = input.readUnsignedByte();
        if (length == SHORT) {
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
        if (!line.isClosed()) {
            line.setSoLinger(true, 0);
            line.close();
        }
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
