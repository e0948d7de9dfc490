package io.bivouac.terminalrelay.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RawSocket;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Browsers compress what they send, where the server agrees. */
class CompressedFramesTest {
    private static final String HEADERS =
            "Sec-WebSocket-Protocol: " + Socket.BINARY + "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n";
    private static final int INPUT = 65;
    private static final int HEADER = 9;
    private static final int MUCH = 96 * 1024 * 1024;

    @Test
    void whatIsTypedMayBeCompressedButNotWithoutBound() throws Exception {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var pty = relay.newcomer()
                        .post(id + "/pty", Map.of("command", "stty raw -echo; exec cat"))
                        .text("id");
                try (var socket = RawSocket.ask(relay.http(), id + "/pty/" + pty + "/ws?from=0", HEADERS)) {
                    assertThat(socket.answer()).contains("101").contains("permessage-deflate");
                    socket.write(compressed("hello".getBytes()));
                    // An answer in itself: a frame of input this long would be refused, not the connection.
                    socket.write(compressed(new byte[MUCH]));
                    assertThat(closeCode(socket)).isEqualTo(1009);
                }
                try (var socket = relay.http().socket(id + "/pty/" + pty + "/ws?from=0", Socket.BINARY)) {
                    socket.type(0, "again").awaitOutput(seen -> seen.equals("helloagain"));
                }
            }
        }
    }

    @Test
    void whatCannotBeUnpackedEndsTheConnectionAlone() throws Exception {
        // A block of a kind that does not exist, and one that ends before its own header does.
        var nonsense = List.of(new byte[] {0x07}, new byte[] {0x01, 0x05});
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var pty = relay.newcomer()
                        .post(id + "/pty", Map.of("command", "cat"))
                        .text("id");
                for (var payload : nonsense) {
                    try (var socket = RawSocket.ask(relay.http(), id + "/pty/" + pty + "/ws?from=0", HEADERS)) {
                        assertThat(socket.answer()).contains("101").contains("permessage-deflate");
                        // Who speaks before he is attached is cut off without a word.
                        assertThat(socket.read().isClose()).isFalse();
                        socket.write(frame(payload, payload.length));
                        assertThat(closeCode(socket)).isEqualTo(1007);
                    }
                }
                try (var socket = relay.http().socket(id + "/pty/" + pty + "/ws?from=0", Socket.BINARY)) {
                    socket.type(0, "on\n").awaitOutput(seen -> seen.contains("on\r\non"));
                }
            }
        }
    }

    private static int closeCode(RawSocket socket) throws IOException {
        var last = socket.read();
        while (!last.isClose()) {
            last = socket.read();
        }
        return ByteBuffer.wrap(last.payload()).getShort();
    }

    /** One frame of input (RFC 7692, section 7.2.1), with a mask of zeros. */
    private static byte[] compressed(byte[] typed) {
        var input = ByteBuffer.allocate(HEADER + typed.length).put((byte) INPUT).putLong(0);
        input.put(typed);
        try (var deflater = new Deflater(Deflater.BEST_COMPRESSION, true)) {
            deflater.setInput(input.array());
            var buffer = new byte[input.capacity() / 500 + 1024];
            int size = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH) - 4;
            return frame(buffer, size);
        }
    }

    /** A whole binary message that says it is compressed. */
    private static byte[] frame(byte[] payload, int size) {
        var frame = ByteBuffer.allocate(14 + size).put((byte) 0xc2);
        if (size < 126) {
            frame.put((byte) (0x80 | size));
        } else {
            // More than 64 KiB, even so.
            frame.put((byte) 0xff).putLong(size);
        }
        frame.putInt(0).put(payload, 0, size).flip();
        return Arrays.copyOf(frame.array(), frame.limit());
    }
}
