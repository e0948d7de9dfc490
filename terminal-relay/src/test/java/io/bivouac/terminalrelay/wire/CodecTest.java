package io.bivouac.terminalrelay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.json.JsonMapper;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CodecTest {
    private static final JsonMapper JSON = JsonMapper.createDefault();

    private static String text(List<WebSocketFrame> frames) {
        return frames.stream()
                .map(frame -> frame.content().toString(StandardCharsets.UTF_8))
                .collect(Collectors.joining("|"));
    }

    private static FromClient read(Codec codec, String message) throws BadFrame {
        return codec.read(message.getBytes(StandardCharsets.UTF_8));
    }

    private static ToClient.Output output(String bytes) {
        return new ToClient.Output(false, 5, ByteString.copyFrom(bytes, StandardCharsets.ISO_8859_1));
    }

    @Test
    void execSpeaksText() throws BadFrame {
        var codec = new ExecCodec(JSON);
        assertThat(read(codec, "{\"type\":\"input\",\"data\":\"ls -la\\r\"}"))
                .isEqualTo(new FromClient.Input(0, ByteString.copyFromUtf8("ls -la\r")));
        assertThat(read(codec, "{\"type\":\"resize\",\"cols\":120,\"rows\":40}"))
                .isEqualTo(new FromClient.Resize(120, 40));
        assertThat(text(codec.write(output("a\"b\r\n")))).isEqualTo("{\"type\":\"output\",\"data\":\"a\\\"b\\r\\n\"}");
        assertThat(text(codec.write(new ToClient.Exited(0)))).isEqualTo("{\"type\":\"exit\",\"exitCode\":0}");
        assertThat(text(codec.write(new ToClient.Failed(ErrorCode.SANDBOX_NOT_RUNNING, "not running"))))
                .isEqualTo("{\"type\":\"error\",\"message\":\"not running\",\"code\":\"SANDBOX_NOT_RUNNING\"}");
    }

    @Test
    void aPtySpeaksBase64() throws BadFrame {
        var codec = new PtyCodec(JSON);
        assertThat(read(codec, "{\"type\":\"input\",\"data\":\"bHMK\"}"))
                .isEqualTo(new FromClient.Input(0, ByteString.copyFromUtf8("ls\n")));
        assertThat(text(codec.write(output("\377\0"))))
                .isEqualTo("{\"type\":\"output\",\"offset\":5,\"data\":\"/wA=\"}");
        assertThatThrownBy(() -> read(codec, "{\"type\":\"input\",\"data\":\"%%\"}"))
                .isInstanceOf(BadFrame.class);
    }

    @Test
    void aSessionSpeaksOfSignalsAndCodes() throws BadFrame {
        var codec = new SessionCodec(JSON);
        assertThat(read(codec, "{\"type\":\"signal\",\"signal\":\"SIGINT\"}")).isEqualTo(new FromClient.Signal(2));
        assertThat(text(codec.write(new ToClient.Exited(-9))))
                .isEqualTo("{\"type\":\"exit\",\"code\":-9,\"signal\":\"SIGKILL\"}");
        assertThat(text(codec.write(new ToClient.Failed(
                        ErrorCode.SESSION_EXPIRED, "Session has expired", Map.of("sessionId", "sess_1")))))
                .isEqualTo("{\"type\":\"error\",\"message\":\"Session has expired\",\"code\":\"SESSION_EXPIRED\","
                        + "\"details\":{\"sessionId\":\"sess_1\"}}");
        assertThatThrownBy(() -> read(codec, "{\"type\":\"input\",\"encrypted\":true,\"data\":\"x\"}"))
                .isInstanceOf(BadFrame.class);
    }

    @Test
    void charactersAreNeverCutAndOtherBytesAreReplaced() {
        var codec = new SessionCodec(JSON);
        assertThat(codec.write(output("\342\202"))).isEmpty();
        assertThat(text(codec.write(output("\254x\377y")))).isEqualTo("{\"type\":\"output\",\"data\":\"€x\uFFFDy\"}");
        assertThat(codec.write(output("\360\237"))).isEmpty();
        assertThat(text(codec.write(new ToClient.Exited(1))))
                .isEqualTo("{\"type\":\"output\",\"data\":\"\uFFFD\"}|{\"type\":\"exit\",\"code\":1}");
    }

    @Test
    void howeverTextIsCutItIsTheSameText() {
        var random = new Random(7);
        var whole = "aé€😀\u0000\"\\\n".repeat(50).getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 200; round++) {
            var codec = new ExecCodec(JSON);
            var all = new StringBuilder();
            for (int at = 0; at < whole.length; ) {
                int size = Math.min(whole.length - at, 1 + random.nextInt(9));
                var piece = new ToClient.Output(false, at, ByteString.copyFrom(whole, at, size));
                for (var frame : codec.write(piece)) {
                    var message = frame.content().toString(StandardCharsets.UTF_8);
                    all.append(data(message));
                }
                at += size;
            }
            assertThat(all.toString()).isEqualTo(new String(whole, StandardCharsets.UTF_8));
        }
    }

    @Test
    void aGapIsToldAndEndsTheHalfCharacterBeforeIt() {
        var half = new ToClient.Output(false, 0, ByteString.copyFrom(new byte[] {'a', (byte) 0xe2, (byte) 0x82}));
        var other = new ToClient.Output(false, 9, ByteString.copyFrom(new byte[] {(byte) 0xac, 'b'}));
        for (var codec : List.of(new SessionCodec(JSON), new ExecCodec(JSON))) {
            codec.write(half);
            var frames = codec.write(new ToClient.Gap(false, 3, 9));
            assertThat(frames.stream().map(frame -> frame.content().toString(StandardCharsets.UTF_8)))
                    .containsExactly(
                            "{\"type\":\"output\",\"data\":\"\uFFFD\"}", "{\"type\":\"gap\",\"from\":3,\"to\":9}");
            assertThat(data(text(codec.write(other)))).isEqualTo("\uFFFDb");
        }
        assertThat(text(new ExecCodec(JSON).write(new ToClient.Gap(true, 1, 2))))
                .isEqualTo("{\"type\":\"gap\",\"from\":1,\"to\":2,\"stream\":\"stderr\"}");
    }

    private static String data(String message) {
        try {
            return JSON.readValue(message, io.micronaut.json.tree.JsonNode.class)
                    .get("data")
                    .getStringValue();
        } catch (java.io.IOException malformed) {
            throw new AssertionError(message, malformed);
        }
    }

    @Test
    void theBinaryProtocolIsATypeANumberAndBytes() throws BadFrame {
        var codec = new BinaryCodec(JSON);
        var frame = codec.write(output("hi")).getFirst().content();
        assertThat(frame.readByte()).isEqualTo((byte) 1);
        assertThat(frame.readLong()).isEqualTo(5);
        assertThat(frame.toString(StandardCharsets.UTF_8)).isEqualTo("hi");
        assertThat(codec.read(binary(65, 3, "ls"))).isEqualTo(new FromClient.Input(3, ByteString.copyFromUtf8("ls")));
        assertThat(codec.read(binary(66, 0, "{\"cols\":1,\"rows\":2}"))).isEqualTo(new FromClient.Resize(1, 2));
        assertThat(codec.read(binary(67, 15, ""))).isEqualTo(new FromClient.Signal(15));
        assertThat(codec.read(binary(67, 0, "SIGTSTP"))).isEqualTo(new FromClient.Signal(20));
        assertThat(codec.read(binary(68, 1000, ""))).isEqualTo(new FromClient.Credit(1000));
        assertThat(codec.read(binary(69, 0, "{\"type\":\"resume\",\"from\":77}")))
                .isEqualTo(new FromClient.Resume(77));
        for (var bad : List.of(
                new byte[0],
                new byte[8],
                binary(0, 0, ""),
                binary(65, -1, ""),
                binary(67, 99, ""),
                binary(68, 0, ""),
                binary(69, 0, "{}"),
                binary(69, 0, "{\"type\":\"resume\",\"from\":-1}"))) {
            assertThatThrownBy(() -> codec.read(bad)).isInstanceOf(BadFrame.class);
        }
    }

    @Test
    void whatIsSealedIsANumberAndBytesThroughEveryDoor() throws BadFrame {
        var sealed = new ToClient.Sealed(7, ByteString.copyFromUtf8("xyz"));
        var heard = new FromClient.Sealed(7, ByteString.copyFromUtf8("xyz"));
        var binary = new BinaryCodec(JSON);
        var frame = binary.write(sealed).getFirst().content();
        assertThat(frame.readByte()).isEqualTo((byte) 6);
        assertThat(frame.readLong()).isEqualTo(7);
        assertThat(frame.toString(StandardCharsets.UTF_8)).isEqualTo("xyz");
        assertThat(binary.read(binary(70, 7, "xyz"))).isEqualTo(heard);
        for (var codec : List.of(new PtyCodec(JSON), new SessionCodec(JSON))) {
            assertThat(text(codec.write(sealed)))
                    .isEqualTo(
                            "{\"type\":\"sealed\",\"encrypted\":true,\"nonce\":\"AAAAAAAAAAc=\",\"payload\":\"eHl6\"}");
            assertThat(read(
                            codec,
                            "{\"type\":\"input\",\"encrypted\":true,\"nonce\":\"AAAAAAAAAAc=\",\"payload\":\"eHl6\"}"))
                    .isEqualTo(heard);
            for (var bad : List.of(
                    "{\"type\":\"input\",\"encrypted\":true,\"data\":\"ls\"}",
                    "{\"type\":\"input\",\"encrypted\":true,\"nonce\":\"AAAA\",\"payload\":\"eHl6\"}",
                    "{\"type\":\"input\",\"encrypted\":true,\"nonce\":\"AAAAAAAAAAc=\",\"payload\":\"%\"}")) {
                assertThatThrownBy(() -> read(codec, bad)).isInstanceOf(BadFrame.class);
            }
        }
    }

    private static byte[] binary(int type, long number, String payload) {
        var bytes = payload.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(9 + bytes.length)
                .put((byte) type)
                .putLong(number)
                .put(bytes)
                .array();
    }

    /** Whatever comes, it is a message or a bad frame. */
    @Test
    void nonsenseIsABadFrame() {
        var random = new Random(42);
        var words = List.of(
                "{", "}", "[", "\"type\"", ":", "\"input\"", "\"data\"", ",", "1e999", "null", "\\u0000", "-", "\"");
        for (var codec :
                List.of(new ExecCodec(JSON), new PtyCodec(JSON), new SessionCodec(JSON), new BinaryCodec(JSON))) {
            for (int round = 0; round < 20_000; round++) {
                byte[] frame;
                if (random.nextBoolean()) {
                    frame = new byte[random.nextInt(40)];
                    random.nextBytes(frame);
                } else {
                    var text = new StringBuilder();
                    for (int i = random.nextInt(12); i >= 0; i--) {
                        text.append(words.get(random.nextInt(words.size())));
                    }
                    frame = text.toString().getBytes(StandardCharsets.UTF_8);
                }
                try {
                    assertThat(codec.read(frame)).isNotNull();
                } catch (BadFrame expected) {
                    assertThat(expected.getMessage()).isNotBlank();
                }
            }
            assertThatThrownBy(() -> codec.read(binary(69, 0, "[".repeat(100_000))))
                    .isInstanceOf(BadFrame.class);
            assertThatThrownBy(() -> read(codec, "[".repeat(100_000))).isInstanceOf(BadFrame.class);
        }
    }

    @Test
    void questionsAndAnswersAreSpelledTheSameAtEachDoorThatHasThem() throws BadFrame {
        var asked = new ToClient.PermissionRequest(
                "perm_1",
                "script",
                "write",
                "a\"b",
                "why",
                "/w",
                "{}",
                2,
                60,
                Instant.parse("2026-01-02T03:04:05Z"),
                null);
        var spelled =
                "{\"type\":\"permission_request\",\"requestId\":\"perm_1\",\"source\":\"script\",\"action\":\"write\","
                        + "\"resource\":\"a\\\"b\",\"description\":\"why\",\"cwd\":\"/w\",\"input\":\"{}\",\"inputBytes\":2,"
                        + "\"timeout\":60,\"expiresAt\":\"2026-01-02T03:04:05Z\"}";
        assertThat(text(new SessionCodec(JSON).write(asked))).isEqualTo(spelled);
        assertThat(text(new PtyCodec(JSON).write(asked))).isEqualTo(spelled);
        assertThat(text(new BinaryCodec(JSON).write(asked))).endsWith(spelled);
        assertThat(new ExecCodec(JSON).write(asked)).isEmpty();
        assertThat(text(new SessionCodec(JSON)
                        .write(new ToClient.PermissionResolved("perm_1", true, "key_1", null, null))))
                .isEqualTo(
                        "{\"type\":\"permission_resolved\",\"requestId\":\"perm_1\",\"granted\":true,\"decidedBy\":\"key_1\"}");
        var response = "{\"type\":\"permission_response\",\"requestId\":\"perm_1\",\"granted\":true,"
                + "\"expiresAt\":\"2026-01-02T03:04:05Z\"}";
        var read = new FromClient.PermissionResponse("perm_1", true, Instant.parse("2026-01-02T03:04:05Z"), null, null);
        assertThat(read(new SessionCodec(JSON), response)).isEqualTo(read);
        assertThat(read(new PtyCodec(JSON), response)).isEqualTo(read);
        for (var bad : List.of("\"yes\"", "1", "null", "true,\"expiresAt\":\"soon\"", "true,\"reason\":7")) {
            var frame = "{\"type\":\"permission_response\",\"requestId\":\"perm_1\",\"granted\":" + bad + "}";
            assertThatThrownBy(() -> read(new SessionCodec(JSON), frame)).isInstanceOf(BadFrame.class);
        }
    }
}
