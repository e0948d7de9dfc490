package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Medium;
import io.bivouac.runtimes.bubblewrap.linux.OpenFiles;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which disks are kept after their sandbox: one small file for each, written before the sandbox goes. */
final class KeptDisks {
    private static final String SUFFIX = ".json";
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    private final Path folder;

    KeptDisks(Path folder) {
        this.folder = folder;
    }

    /** What is written down. */
    @Serdeable
    record Kept(String sandbox, String disk, String project, long bytes, Instant keptAt) {
        SandboxId id() {
            return new SandboxId(sandbox);
        }
    }

    /** On the medium before it returns: from here on nothing else knows of these data. */
    void write(Kept kept) {
        try {
            Files.createDirectories(folder);
            var part = folder.resolve(kept.sandbox() + ".part");
            try (var file = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(JSON.writeValueAsBytes(kept)));
                file.force(true);
            }
            Files.move(part, file(kept.id()), StandardCopyOption.ATOMIC_MOVE);
            Medium.force(folder);
            Medium.force(folder.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new RuntimeFailure("cannot keep the data of " + kept.sandbox() + ": " + e, e);
        }
    }

    Optional<Kept> find(SandboxId id) {
        return read(file(id));
    }

    List<Kept> all() {
        var all = new ArrayList<Kept>();
        if (!Files.isDirectory(folder)) {
            return all;
        }
        try (var files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            files.forEach(file -> read(file).ifPresent(all::add));
            return all;
        } catch (IOException e) {
            throw new RuntimeFailure("cannot list kept data: " + e, e);
        }
    }

    void forget(SandboxId id) {
        try {
            Files.deleteIfExists(file(id));
        } catch (IOException e) {
            throw new RuntimeFailure("cannot forget the data of " + id + ": " + e, e);
        }
    }

    private Path file(SandboxId id) {
        return folder.resolve(id + SUFFIX);
    }

    private static Optional<Kept> read(Path file) {
        try {
            return Optional.ofNullable(JSON.readValue(Files.readAllBytes(file), Kept.class));
        } catch (IOException none) {
            OpenFiles.mustNotBeExhausted(none);
            return Optional.empty();
        }
    }
}
