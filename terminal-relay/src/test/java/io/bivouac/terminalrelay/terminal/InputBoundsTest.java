package io.bivouac.terminalrelay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.terminalrelay.wire.BadFrame;
import io.bivouac.terminalrelay.wire.FromClient;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Frames without any bytes, for an agent that takes none. */
class InputBoundsTest {
    private static final int MANY = 100_000;

    @Test
    void unnumberedInputWithoutBytesIsDropped() throws BadFrame {
        var line = new InputLine(false);
        line.add(0, ByteString.EMPTY);
        assertThat(line.next()).isNull();
        line.add(0, ByteString.copyFromUtf8("x"));
        assertThat(line.next().getSequence()).isEqualTo(1);
    }

    @Test
    void numberedInputWithoutBytesFillsTheLineAndIsAnswered() throws BadFrame {
        var line = new InputLine(true);
        line.reattached(0);
        int added = 0;
        while (!line.isFull() && added < MANY) {
            line.add(++added, ByteString.EMPTY);
        }
        assertThat(added).isLessThan(MANY);
        int sent = 0;
        while (sent < added) {
            while (line.next() != null) {
                line.wasSent();
                sent++;
            }
            line.applied(sent);
        }
        assertThat(line.isFull()).isFalse();
    }

    @Test
    void sealedFramesWithoutBytesHoldTheirClientBack() {
        var client = new Client(new EmbeddedChannel(), _ -> {});
        var attachment = new SealedAttachment(null, null, client, null, null);
        int said = 0;
        while (!client.isPaused() && said < MANY) {
            attachment.receive(new FromClient.Sealed(said++, ByteString.EMPTY));
        }
        assertThat(said).isLessThan(MANY);
    }
}
