package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoonOnMediumTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsTakenInAMomentAlsoWhenSomeIsGoneAgain() throws IOException {
        var there =
                Files.writeString(Files.createDirectory(folder.resolve("one")).resolve("file"), "x");
        var gone = folder.resolve("two/file");
        try (var medium = new SoonOnMedium()) {
            medium.add(gone);
            medium.add(there);
            Eventually.that("nothing is pending", () -> medium.pending() == 0);
            medium.add(there);
            assertThat(medium.pending()).isEqualTo(1);
        }
    }

    @Test
    void closingWaitsForWhatIsPending() throws IOException {
        var medium = new SoonOnMedium();
        medium.add(Files.writeString(folder.resolve("file"), "x"));
        medium.close();
        assertThat(medium.pending()).isZero();
    }
}
