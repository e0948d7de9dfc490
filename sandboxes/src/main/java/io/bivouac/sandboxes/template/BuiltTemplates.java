package io.bivouac.sandboxes.template;

import io.bivouac.foundation.yaml.YamlFile;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The templates that were built on this machine, as another process leaves them in the folder: it is looked at with
 * each question, and read when it has changed. Thread-safe.
 */
public final class BuiltTemplates {
    /** The key of a name's file that tells of its tree; all others are the template's recipe. */
    public static final String BUILT = "built";

    private static final Logger LOG = LoggerFactory.getLogger(BuiltTemplates.class);
    private static final String YAML = ".yml";

    /** A file system's clock may be so coarse that a change after a look has the time of before. */
    private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

    private final TemplateFolder folder;
    private volatile Look last = new Look(null, Instant.MIN, Map.of());

    /** What was there when it was looked at. */
    private record Look(FileTime changed, Instant at, Map<String, BuiltTemplate> templates) {
        boolean stillHolds(FileTime now) {
            return now.equals(changed) && changed.toInstant().plus(CLOCK_STEP).isBefore(at);
        }
    }

    public BuiltTemplates(TemplateFolder folder) {
        this.folder = folder;
    }

    public Optional<BuiltTemplate> find(String name) {
        return Optional.ofNullable(all().get(name));
    }

    public Map<String, BuiltTemplate> all() {
        try {
            var changed = Files.getLastModifiedTime(folder.names());
            var known = last;
            if (known.stillHolds(changed)) {
                return known.templates();
            }
            var now = Instant.now();
            var read = new Look(changed, now, read());
            last = read;
            return read.templates();
        } catch (NoSuchFileException nothingBuilt) {
            return Map.of();
        } catch (IOException unreadable) {
            LOG.warn("The built templates in {} cannot be read: {}", folder.names(), unreadable.toString());
            return last.templates();
        }
    }

    private Map<String, BuiltTemplate> read() throws IOException {
        var all = new TreeMap<String, BuiltTemplate>();
        try (var files = Files.newDirectoryStream(folder.names(), "*" + YAML)) {
            for (var file : files) {
                read(file).ifPresent(built -> all.put(built.template().name(), built));
            }
        }
        return Map.copyOf(all);
    }

    private Optional<BuiltTemplate> read(Path path) {
        try (var yaml = Files.newBufferedReader(path)) {
            var file = new YamlFile(path.toString());
            var entry = file.map(file.load(yaml), "the file");
            var built = file.map(entry.get(BUILT), BUILT);
            var hash = String.valueOf(built.get("hash"));
            if (!Files.isDirectory(folder.tree(hash))) {
                throw new IOException("its tree " + folder.tree(hash) + " is gone");
            }
            return Optional.of(new BuiltTemplate(
                    withRoots(RecipeKeys.template(entry, file), hash, built),
                    hash,
                    Long.parseLong(String.valueOf(built.get("sizeBytes"))),
                    Instant.parse(String.valueOf(built.get("builtAt")))));
        } catch (NoSuchFileException removed) {
            return Optional.empty();
        } catch (IOException | RuntimeException wrong) {
            LOG.warn("The built template {} is left out: {}", path.getFileName(), wrong.getMessage());
            return Optional.empty();
        }
    }

    private Template withRoots(Template template, String hash, Map<String, Object> built) {
        var roots = new HashMap<String, String>();
        roots.put("bubblewrap", folder.tree(hash).toString());
        // Without an image it has to be built for Docker.
        roots.put("docker", String.valueOf(built.getOrDefault("image", Template.TO_BE_BUILT)));
        return template.withRoots(roots);
    }
}
