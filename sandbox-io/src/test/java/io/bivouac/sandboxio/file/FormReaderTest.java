package io.bivouac.sandboxio.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.error.BivouacException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Forms as clients send them, in pieces of any size. */
class FormReaderTest {
    private static final String TYPE = "multipart/form-data; boundary=XY";

    private static InputStream inPieces(byte[] bytes, int most) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, most));
            }
        };
    }

    private static byte[] form(byte[] contents) {
        var head = "--XY\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a \\\"ü\\\".txt\"\r\n\r\n";
        var end = "\r\n--XY\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--XY--\r\n";
        var before = head.getBytes(StandardCharsets.UTF_8);
        var after = end.getBytes(StandardCharsets.UTF_8);
        var all = new byte[before.length + contents.length + after.length];
        System.arraycopy(before, 0, all, 0, before.length);
        System.arraycopy(contents, 0, all, before.length, contents.length);
        System.arraycopy(after, 0, all, before.length + contents.length, after.length);
        return all;
    }

    @Test
    void partsAreReadWhereverTheStreamIsCut() throws IOException {
        var contents = "a\r\n--X\r\n--XZ\r\r\n".getBytes(StandardCharsets.UTF_8);
        for (int most = 1; most < 40; most++) {
            var reader = new FormReader(TYPE, inPieces(form(contents), most));
            var file = reader.next();
            assertThat(file.name()).isEqualTo("file");
            assertThat(file.fileName()).isEqualTo("a \"ü\".txt");
            assertThat(file.contents().readAllBytes()).isEqualTo(contents);
            var empty = reader.next();
            assertThat(empty.name()).isEqualTo("empty");
            assertThat(empty.fileName()).isEmpty();
            assertThat(empty.contents().readAllBytes()).isEmpty();
            assertThat(reader.next()).isNull();
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void largeContentsPassThrough() throws IOException {
        var contents = new byte[1_000_003];
        new Random(1).nextBytes(contents);
        var reader = new FormReader(TYPE, inPieces(form(contents), 8_191));
        assertThat(reader.next().contents().readAllBytes()).isEqualTo(contents);
    }

    @Test
    void anUnreadPartIsPassedOver() throws IOException {
        var reader = new FormReader(TYPE, inPieces(form(new byte[500_000]), 4_096));
        reader.next();
        assertThat(reader.next().name()).isEqualTo("empty");
    }

    @Test
    void aFormThatBreaksOffIsRefused() throws IOException {
        var all = form("abc".getBytes(StandardCharsets.UTF_8));
        var reader = new FormReader(TYPE, new ByteArrayInputStream(all, 0, all.length - 60));
        var file = reader.next();
        assertThatThrownBy(() -> {
                    file.contents().readAllBytes();
                    while (reader.next() != null) {}
                })
                .isInstanceOf(BivouacException.class)
                .hasMessageContaining("breaks off");
        assertThatThrownBy(() -> new FormReader("multipart/form-data", InputStream.nullInputStream()))
                .isInstanceOf(BivouacException.class);
    }
}
