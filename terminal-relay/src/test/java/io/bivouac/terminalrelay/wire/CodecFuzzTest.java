package io.bivouac.terminalrelay.wire;

import io.bivouac.agentlink.testing.FrameMaker;
import io.micronaut.json.JsonMapper;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every frame is a message or a {@link BadFrame}, and nothing else ever comes of it. */
class CodecFuzzTest {
    private static final JsonMapper JSON = JsonMapper.createDefault();

    private final long seed = Long.getLong("bivouac.seed", System.nanoTime());
    private final FrameMaker frames = new FrameMaker(new Random(seed));
    private final List<Codec> codecs =
            List.of(new PtyCodec(JSON), new SessionCodec(JSON), new ExecCodec(JSON), new BinaryCodec(JSON));

    @Test
    void noCodecIsBrokenByNonsense() {
        read(5_000);
    }

    @Test
    @Tag("soak")
    void noCodecIsBrokenByMuchNonsense() {
        read(500_000);
    }

    private void read(int count) {
        for (int i = 0; i < count; i++) {
            var frame = i % 2 == 0 ? frames.json() : frames.binary();
            codecs.forEach(codec -> read(codec, frame));
        }
    }

    private void read(Codec codec, byte[] frame) {
        try {
            codec.read(frame);
        } catch (BadFrame expected) {
            // As it should be.
        } catch (RuntimeException | StackOverflowError broken) {
            throw new AssertionError(
                    "seed %d, %s: %s"
                            .formatted(seed, codec.getClass(), HexFormat.of().formatHex(frame)),
                    broken);
        }
    }
}
