package io.bivouac.terminalrelay.recording;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.text.JsonBytes;
import io.bivouac.sandboxio.text.LossyText;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Writes asciicast v3: a header, then a line for each event with the time since the one before. Not thread-safe. */
final class Asciicast {
    private static final int FIRST_ROOM = 512;

    private final LossyText text = new LossyText();
    private JsonBytes lines = new JsonBytes(FIRST_ROOM);
    private Instant last;

    Asciicast(Instant last) {
        this.last = last;
    }

    void header(int columns, int rows, Instant begun) {
        lines.raw("{\"version\":3,\"term\":{\"cols\":" + columns + ",\"rows\":" + rows
                + ",\"type\":\"xterm-256color\"},\"timestamp\":" + begun.getEpochSecond() + "}\n");
    }

    void output(ByteString data, Instant now) {
        int before = lines.size();
        event("o", now);
        if (text.write(data, lines)) {
            end(now);
        } else {
            lines.rewind(before);
        }
    }

    void resized(int columns, int rows, Instant now) {
        event("r", now);
        lines.raw(columns + "x" + rows);
        end(now);
    }

    void marker(String label, Instant now) {
        event("m", now);
        lines.escaped(label);
        end(now);
    }

    void exited(int code, Instant now) {
        int before = lines.size();
        event("o", now);
        if (text.end(lines)) {
            end(now);
        } else {
            lines.rewind(before);
        }
        event("x", now);
        lines.raw(Integer.toString(code));
        end(now);
    }

    private void event(String code, Instant now) {
        double seconds = Math.max(0, Duration.between(last, now).toNanos() / 1e9);
        lines.raw(String.format(Locale.ROOT, "[%.6f, \"%s\", \"", seconds, code));
    }

    private void end(Instant now) {
        lines.raw("\"]\n");
        last = now;
    }

    int size() {
        return lines.size();
    }

    /** Bytes of a character that is still to come whole. */
    int cut() {
        return text.cutBytes();
    }

    Instant last() {
        return last;
    }

    /** What was written since the last time. */
    byte[] take() {
        var written = ByteBufUtil.getBytes(lines.done());
        lines = new JsonBytes(FIRST_ROOM);
        return written;
    }
}
