package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.OpenFiles;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Small JSON files that a reader at any moment sees whole or not at all. */
final class Json {
    private static final ObjectMapper MAPPER = ObjectMapper.getDefault();

    private Json() {}

    static void write(Path file, Object value) throws IOException {
        var part = file.resolveSibling(file.getFileName() + ".part");
        Files.write(part, MAPPER.writeValueAsBytes(value));
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    static <T> Optional<T> read(Path file, Class<T> type) {
        try {
            return Optional.ofNullable(MAPPER.readValue(Files.readAllBytes(file), type));
        } catch (IOException none) {
            OpenFiles.mustNotBeExhausted(none);
            return Optional.empty();
        }
    }

    static byte[] bytes(Object value) throws IOException {
        return MAPPER.writeValueAsBytes(value);
    }

    static <T> T parse(byte[] bytes, Class<T> type) throws IOException {
        return MAPPER.readValue(bytes, type);
    }
}
