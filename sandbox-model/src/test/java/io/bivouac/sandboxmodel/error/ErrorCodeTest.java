package io.bivouac.sandboxmodel.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    @Test
    void numbersAreNeverUsedTwice() {
        assertThat(ErrorCode.values()).extracting(ErrorCode::number).doesNotHaveDuplicates();
    }

    @Test
    void theDocumentedTableIsTheRealOne() throws IOException {
        var documented = Files.readAllLines(Path.of("../docs/errors.md")).stream()
                .filter(line -> line.matches("\\| \\d{4} \\|.*"))
                .toList();
        var real = Arrays.stream(ErrorCode.values())
                .map(code ->
                        "| %d | %s | %d | %s |".formatted(code.number(), code.name(), code.httpStatus(), code.title()))
                .toList();
        assertThat(documented).containsExactlyElementsOf(real);
    }
}
