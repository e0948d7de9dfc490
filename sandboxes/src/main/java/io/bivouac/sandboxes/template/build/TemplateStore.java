package io.bivouac.sandboxes.template.build;

import io.bivouac.sandboxes.template.BuiltTemplates;
import io.bivouac.sandboxes.template.TemplateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.yaml.snakeyaml.Yaml;

/** Gives built trees to templates, takes them away, and removes trees that nobody needs. One process at a time. */
public final class TemplateStore implements AutoCloseable {
    /** A create may have read the name just before it got another tree. */
    private static final Duration LONGEST_CREATE = Duration.ofMinutes(10);

    /** An interrupted build that nobody went on with. */
    private static final Duration ABANDONED = Duration.ofDays(3);

    private final TemplateFolder folder;
    private final Path sandboxes;
    private final FileChannel lock;

    private TemplateStore(TemplateFolder folder, Path sandboxes, FileChannel lock) {
        this.folder = folder;
        this.sandboxes = sandboxes;
        this.lock = lock;
    }

    /** @param waiting told who is at work, before this waits until it is done */
    public static TemplateStore open(Path dataFolder, Consumer<String> waiting) {
        var folder = TemplateFolder.in(dataFolder);
        try {
            Files.createDirectories(folder.path());
            // Sandboxes' supervisors pass through with ids of their own.
            for (var passed : List.of(folder.path(), folder.allBuilt(), folder.names(), folder.allBuilding())) {
                Files.createDirectories(passed);
                Files.setPosixFilePermissions(passed, PosixFilePermissions.fromString("rwx--x--x"));
            }
            var channel = FileChannel.open(
                    folder.lock(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                waiting.accept("Another build is at work here (process "
                        + Files.readString(folder.lock()).strip() + "); waiting for it.");
                channel.lock();
            }
            channel.truncate(0);
            channel.write(StandardCharsets.UTF_8.encode(ProcessHandle.current().pid() + "\n"), 0);
            return new TemplateStore(folder, dataFolder.toAbsolutePath().resolve("sandboxes"), channel);
        } catch (IOException failed) {
            throw new BuildFailed("The folder " + folder.path() + " cannot be used: " + failed.getMessage(), failed);
        }
    }

    public TemplateFolder folder() {
        return folder;
    }

    /** From now on new sandboxes of this template have this tree. */
    public void name(Recipe recipe, String hash, Optional<String> image) {
        try {
            var built = new LinkedHashMap<String, Object>();
            built.put("hash", hash);
            built.put("sizeBytes", Folders.size(folder.tree(hash)));
            built.put("builtAt", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
            image.ifPresent(name -> built.put("image", name));
            var text = new LinkedHashMap<>(recipe.text());
            text.put(BuiltTemplates.BUILT, built);
            if (!recipe.files().isEmpty()) {
                text.put("files", contents(recipe.files()));
            }
            var part = folder.path().resolve("name.part");
            Files.writeString(part, new Yaml().dump(text));
            try (var written = FileChannel.open(part, StandardOpenOption.WRITE)) {
                written.force(true);
            }
            Files.move(part, folder.name(recipe.name()), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new BuildFailed("The template " + recipe.name() + " cannot be stored: " + failed, failed);
        }
    }

    /** The file may be gone when the recipe is read again. */
    private static List<Map<String, Object>> contents(List<AddedFile> files) {
        var all = new ArrayList<Map<String, Object>>();
        files.forEach(file -> all.add(Map.of("path", file.path(), "content", file.content(), "mode", file.mode())));
        return all;
    }

    /** Takes the template away, unless sandboxes have its tree. */
    public void remove(String name) {
        try {
            var found = new BuiltTemplates(folder).find(name);
            if (found.isEmpty()) {
                throw new BuildFailed("No template " + name + " was built here.");
            }
            var users = users(found.get().hash());
            if (!users.isEmpty()) {
                throw new BuildFailed("The template " + name + " is used by " + String.join(", ", users) + ": delete "
                        + (users.size() == 1 ? "this sandbox" : "these sandboxes") + " first.");
            }
            Files.delete(folder.name(name));
            var hash = found.get().hash();
            if (new BuiltTemplates(folder)
                    .all().values().stream().noneMatch(other -> other.hash().equals(hash))) {
                discard(folder.built(hash));
            }
        } catch (IOException failed) {
            throw new BuildFailed("The template " + name + " cannot be removed: " + failed, failed);
        }
    }

    /** Removes trees that no template and no sandbox has, and builds that nobody went on with. */
    public void tidy() throws IOException {
        var named = new BuiltTemplates(folder)
                .all().values().stream().map(built -> built.hash()).toList();
        for (var tree : entries(folder.allBuilt())) {
            var hash = tree.getFileName().toString();
            if (!named.contains(hash)
                    && isOlder(tree, LONGEST_CREATE)
                    && users(hash).isEmpty()) {
                discard(tree);
            }
        }
        for (var building : entries(folder.allBuilding())) {
            if (building.getFileName().toString().startsWith(DISCARDED) || isOlder(building, ABANDONED)) {
                Folders.remove(building);
            }
        }
    }

    private static final String DISCARDED = "discarded-";

    /** Out of the way first: what is half removed must not be found. */
    private void discard(Path tree) throws IOException {
        var away = folder.building(DISCARDED + tree.getFileName());
        Folders.remove(away);
        Files.move(tree, away, StandardCopyOption.ATOMIC_MOVE);
        Folders.remove(away);
    }

    private static boolean isOlder(Path folder, Duration age) throws IOException {
        return Files.getLastModifiedTime(folder).toInstant().plus(age).isBefore(Instant.now());
    }

    /** The sandboxes that were made with this tree as their root. */
    private List<String> users(String hash) throws IOException {
        var tree = folder.tree(hash).toString();
        var users = new ArrayList<String>();
        for (var sandbox : entries(sandboxes)) {
            var instance = sandbox.resolve("instance.json");
            if (Files.isRegularFile(instance) && Files.readString(instance).contains("\"" + tree + "\"")) {
                users.add(sandbox.getFileName().toString());
            }
        }
        return users;
    }

    private static List<Path> entries(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException failed) {
            throw new BuildFailed("The lock " + folder.lock() + " cannot be let go: " + failed, failed);
        }
    }
}
