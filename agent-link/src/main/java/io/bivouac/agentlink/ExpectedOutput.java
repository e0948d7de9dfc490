package io.bivouac.agentlink;

import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.AttachOrBuilder;
import io.bivouac.agent.v1.Gap;
import io.bivouac.agent.v1.Output;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agent.v1.Stream;

/** Checks that output comes whole and in order. Used by one thread at a time: a call's, then the next call's. */
final class ExpectedOutput {
    /** No output of this stream was asked for. */
    static final long NONE = -1;

    /** A screen comes first and says where the output after it begins. */
    static final long AFTER_SCREEN = -2;

    private final long[] next;

    ExpectedOutput(long stdout, long stderr) {
        next = new long[] {stdout, stderr};
    }

    static ExpectedOutput of(AttachOrBuilder order) {
        long first = order.getScreen() ? AFTER_SCREEN : order.getStdoutOffset();
        return new ExpectedOutput(order.getStdout() ? first : NONE, order.getStderr() ? order.getStderrOffset() : NONE);
    }

    boolean accepts(Output output) {
        int length = output.getData().size();
        int stream = index(output.getStream());
        if (stream < 0 || length == 0 || length > Bounds.LARGEST_OUTPUT || output.getOffset() != next[stream]) {
            return false;
        }
        next[stream] += length;
        return next[stream] > 0;
    }

    boolean accepts(Gap gap) {
        int stream = index(gap.getStream());
        if (stream < 0 || gap.getFrom() != next[stream] || gap.getTo() <= gap.getFrom()) {
            return false;
        }
        next[stream] = gap.getTo();
        return true;
    }

    boolean accepts(Screen screen) {
        if (next[0] != AFTER_SCREEN
                || screen.getOffset() < 0
                || screen.getData().size() > Bounds.LARGEST_SCREEN) {
            return false;
        }
        next[0] = screen.getOffset();
        return true;
    }

    /** What is still to come, as a question. */
    Attach.Builder rest() {
        return Attach.newBuilder()
                .setStdout(next[0] != NONE)
                .setStderr(next[1] != NONE)
                .setStdoutOffset(Math.max(0, next[0]))
                .setStderrOffset(Math.max(0, next[1]));
    }

    private int index(Stream stream) {
        return switch (stream) {
            case STDOUT -> next[0] < 0 ? -1 : 0;
            case STDERR -> next[1] < 0 ? -1 : 1;
            case STREAM_UNSPECIFIED, UNRECOGNIZED -> -1;
        };
    }
}
