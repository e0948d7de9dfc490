package io.bivouac.benchmarks;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A terminal's WebSocket, as lean as can be: it shares the processors with what it measures. One thread may read
 * while another writes.
 */
final class TerminalSocket implements AutoCloseable {
    static final String BINARY = "bivouac.terminal.v1";
    static final String JSON = "bivouac.json";
    static final int OUTPUT = 1;
    static final int EXIT = 2;
    static final int ATTACHED = 5;
    private static final int INPUT = 65;
    private static final int HEADER = 9;
    private static final int BUFFER = 256 * 1024;

    private final Socket socket;
    private final DataInputStream in;
    private byte[] payload = new byte[BUFFER];
    private int length;

    TerminalSocket(int port, String key, String path, String protocol) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + key
                                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
                                + "\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: "
                                + protocol + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        var status = line();
        if (!status.contains(" 101 ")) {
            throw new IOException("no WebSocket: " + status);
        }
        while (!line().isEmpty()) {}
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("closed");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Reads the next message; what it holds stays until the one after. False at the end. */
    boolean next() throws IOException {
        while (true) {
            int first = in.read();
            if (first < 0) {
                return false;
            }
            long size = in.read() & 127;
            if (size == 126) {
                size = in.readUnsignedShort();
            } else if (size == 127) {
                size = in.readLong();
            }
            if (size > payload.length) {
                payload = new byte[(int) size];
            }
            length = (int) size;
            in.readFully(payload, 0, length);
            switch (first & 15) {
                case 1, 2 -> {
                    return true;
                }
                case 8 -> {
                    return false;
                }
                case 9 -> frame(10, new byte[0]);
                default -> {}
            }
        }
    }

    /** The binary protocol's type of the present message. */
    int type() {
        return payload[0];
    }

    int outputLength() {
        return length - HEADER;
    }

    boolean outputContains(byte wanted) {
        for (int i = HEADER; i < length; i++) {
            if (payload[i] == wanted) {
                return true;
            }
        }
        return false;
    }

    String text() {
        return new String(payload, 0, length, StandardCharsets.UTF_8);
    }

    int textLength() {
        return length;
    }

    boolean textIs(String start) {
        if (length < start.length()) {
            return false;
        }
        for (int i = 0; i < start.length(); i++) {
            if (payload[i] != start.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    void type(long sequence, byte... keys) throws IOException {
        frame(
                2,
                ByteBuffer.allocate(HEADER + keys.length)
                        .put((byte) INPUT)
                        .putLong(sequence)
                        .put(keys)
                        .array());
    }

    void say(String json) throws IOException {
        frame(1, json.getBytes(StandardCharsets.UTF_8));
    }

    /** A client's frames are masked; a mask of zeros leaves them as they are. */
    private synchronized void frame(int code, byte[] data) throws IOException {
        var frame = ByteBuffer.allocate(data.length + 14).put((byte) (0x80 | code));
        if (data.length < 126) {
            frame.put((byte) (0x80 | data.length));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) data.length);
        }
        frame.putInt(0).put(data);
        socket.getOutputStream().write(frame.array(), 0, frame.position());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
