package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.text.Utf8Check;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a command wrote to one of its streams, in pages, so that it grows without being copied. Not thread-safe. */
public final class CollectedBytes {
    /** Both divide by three: the Base64 of whole pages can be joined. */
    private static final int FIRST_PAGE = 3 * 1024;

    private static final int PAGE = 48 * 1024;

    private final List<byte[]> full = new ArrayList<>();
    private final Utf8Check text = new Utf8Check();
    private byte[] page = {};
    private int used;
    private long size;

    CollectedBytes() {}

    public long size() {
        return size;
    }

    void add(ByteString data) {
        var bytes = Bytes.of(data);
        text.add(bytes.array(), bytes.offset(), bytes.end());
        size += bytes.length();
        int at = bytes.offset();
        while (at < bytes.end()) {
            if (used == page.length) {
                turn();
            }
            int length = Math.min(bytes.end() - at, page.length - used);
            System.arraycopy(bytes.array(), at, page, used, length);
            used += length;
            at += length;
        }
    }

    private void turn() {
        if (used > 0) {
            full.add(page);
        }
        page = new byte[full.isEmpty() ? FIRST_PAGE : PAGE];
        used = 0;
    }

    /** Whether all of it together is UTF-8. */
    public boolean isText() {
        return text.isWhole();
    }

    Stream<Bytes> pages() {
        return Stream.concat(full.stream().map(Bytes::of), Stream.of(new Bytes(page, 0, used)));
    }

    /** The beginning of it, at most so many bytes; those that are no UTF-8 are replaced. */
    public String text(int most) {
        var beginning = new ByteArrayOutputStream((int) Math.min(most, size));
        pages().forEach(bytes ->
                beginning.write(bytes.array(), bytes.offset(), Math.min(bytes.length(), most - beginning.size())));
        return beginning.toString(StandardCharsets.UTF_8);
    }
}
