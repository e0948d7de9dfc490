package io.bivouac.sandboxmodel.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPathsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cannot make sbx-1: java.nio.file.FileSystemException: /var/lib/bivouac/sandboxes/sbx-1/run/token.part: Too many open files | cannot make sbx-1: java.nio.file.FileSystemException: token.part: Too many open files",
                "bwrap: Can't find source path /srv/data/disks/dsk-1/content/home: No such file | bwrap: Can't find source path home: No such file",
                "cannot mount /dev/loop3 on /srv/data/disks/dsk-1/content: Too many open files | cannot mount /dev/loop3 on content: Too many open files",
                "the folder (/home/anna/.local/share/bivouac) is full | the folder (bivouac) is full",
                "install bubblewrap at /usr/bin/bwrap | install bubblewrap at /usr/bin/bwrap",
                "the file /workspace/src/main.py is gone | the file /workspace/src/main.py is gone",
                "10 of 20 and/or 3/4 at https://example.org/a/b | 10 of 20 and/or 3/4 at https://example.org/a/b",
            })
    void placesAreHiddenAndNamesStay(String text, String shown) {
        assertThat(HostPaths.hiddenIn(text)).isEqualTo(shown);
    }
}
