package io.bivouac.fronts.opensandbox.execd;

import com.google.protobuf.ByteString;
import io.micronaut.core.annotation.Nullable;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Cuts one stream of a command's output into lines. Used by one thread at a time. */
final class Lines {
    /** A longer line is sent in pieces, as nobody knows whether it ends. */
    static final int LONGEST = 64 * 1024;

    private static final int CONTINUATION = 0x80;
    private static final int CONTINUATION_MASK = 0xC0;

    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    /** The lines that these bytes complete, without their ends. */
    List<String> cut(ByteString data) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < data.size(); i++) {
            byte next = data.byteAt(i);
            if (next == '\n') {
                lines.add(take());
                continue;
            }
            if (begun.size() >= LONGEST && (next & CONTINUATION_MASK) != CONTINUATION) {
                lines.add(take());
            }
            begun.write(next);
        }
        return lines;
    }

    /** The line that has begun; null where there is none. */
    @Nullable String rest() {
        return begun.size() == 0 ? null : take();
    }

    private String take() {
        var line = begun.toString(StandardCharsets.UTF_8);
        begun.reset();
        return line;
    }
}
