package io.bivouac.terminalrelay.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class QuietCutTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new QuietCut());

    @Test
    void aResetEndsTheConnectionWithoutAnAlarm() {
        channel.pipeline().fireExceptionCaught(new IOException("Connection reset"));
        assertThat(channel.isOpen()).isFalse();
        channel.checkException();
    }

    @Test
    void whatIsNoCutIsPassedOn() {
        channel.pipeline().fireExceptionCaught(new IllegalStateException("a fault of ours"));
        assertThat(channel.isOpen()).isTrue();
        assertThatThrownBy(channel::checkException).hasMessage("a fault of ours");
    }
}
