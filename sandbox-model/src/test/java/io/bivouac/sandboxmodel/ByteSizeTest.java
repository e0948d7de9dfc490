package io.bivouac.sandboxmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "1,1",
        "1k,1024",
        "512m,536870912",
        "512M,536870912",
        "2g,2147483648",
        "1GiB,1073741824",
        "1Gi,1073741824",
        "64Mi,67108864",
        "64 MB,67108864",
        "100b,100",
        "1t,1099511627776"
    })
    void sizesAreReadAsPeopleWriteThem(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5g", "g", "1x", "1i", "1gx", "99999999999999999999", "999999999999t"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sizesAreWrittenShortAndExact() {
        assertThat(ByteSize.format(ByteSize.parse("512m"))).isEqualTo("512m");
        assertThat(ByteSize.format(ByteSize.parse("1024m"))).isEqualTo("1g");
        assertThat(ByteSize.format(1000)).isEqualTo("1000");
    }
}
