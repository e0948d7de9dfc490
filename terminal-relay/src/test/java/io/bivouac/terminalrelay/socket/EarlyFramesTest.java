package io.bivouac.terminalrelay.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EarlyFramesTest {
    private static final int FRAME = 64 * 1024;
    private static final int FRAMES = 8;

    /** Notes what it is given, and holds the client back from the second frame on. */
    private static final class Reader extends ChannelInboundHandlerAdapter {
        private final List<Integer> seen = new ArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var frame = (BinaryWebSocketFrame) message;
            seen.add((int) frame.content().getByte(0));
            frame.release();
            if (seen.size() > 1) {
                context.channel().config().setAutoRead(false);
            }
        }
    }

    private final EarlyFrames early = new EarlyFrames();
    private final EmbeddedChannel channel = new EmbeddedChannel(early, new ChannelInboundHandlerAdapter());

    private void receive(int count) {
        for (int i = 0; i < count; i++) {
            channel.writeInbound(
                    new BinaryWebSocketFrame(Unpooled.buffer(FRAME).writeByte(i).writeZero(FRAME - 1)));
        }
    }

    @Test
    void bytesThatCameBeforeTheAnswerToTheRequestEndTheConnection() {
        var bytes = Unpooled.buffer().writeBytes("nonsense".getBytes());
        channel.writeInbound(bytes);
        assertThat(bytes.refCnt()).isZero();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aClientThatIsTooQuickIsHeldBackAndNotCutOff() throws Exception {
        receive(1);
        assertThat(channel.config().isAutoRead()).isTrue();
        receive(FRAMES - 1);
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.config().isAutoRead()).isFalse();
    }

    @Test
    void framesWithoutBytesHoldTheirClientBackToo() {
        int sent = 0;
        while (channel.config().isAutoRead() && sent < EarlyFrames.ENOUGH_BYTES) {
            channel.writeInbound(new BinaryWebSocketFrame());
            sent++;
        }
        assertThat(sent).isLessThan(EarlyFrames.ENOUGH_BYTES);
    }

    @Test
    void theReaderGetsAllOfItInOrderAndDecidesAnew() throws Exception {
        receive(FRAMES);
        var reader = new Reader();
        early.makeWayFor(reader, channel.pipeline().context(early));
        assertThat(reader.seen).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(channel.config().isAutoRead()).isFalse();
        channel.config().setAutoRead(true);
        receive(1);
        assertThat(reader.seen).hasSize(FRAMES + 1);
    }

    @Test
    void aHeldClientIsReadAgainWhenItsReaderWantsMore() throws Exception {
        receive(FRAMES);
        early.makeWayFor(
                new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        ((BinaryWebSocketFrame) message).release();
                    }
                },
                channel.pipeline().context(early));
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void whatAClientLeftBehindIsFreed() {
        var frame = new BinaryWebSocketFrame(Unpooled.buffer(FRAME).writeZero(FRAME));
        channel.writeInbound(frame);
        channel.close();
        assertThat(frame.refCnt()).isZero();
    }
}
