package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.Sha256;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Folders that sandboxes see read-only and that are the same for many of them. Each is named after what is in it, made
 * once, and never changed.
 */
final class SharedFolders {
    private static final int NAME_LENGTH = 32;

    /** Stands for the content of what is mounted over it. */
    private static final String MOUNT_POINT = "(the host's)";

    private final Path folder;

    SharedFolders(Path folder) {
        this.folder = folder;
    }

    /**
     * The files of /etc that tell a sandbox who it is, those that make programs ask for permission and, on the host's
     * root, mount points for what the host has.
     */
    Path etc(TemplateRoot root, Template template) throws IOException {
        var entries = new TreeMap<>(SystemFiles.of(root));
        entries.putAll(ManagedHooks.files(template.hooks()));
        if (root.isHost()) {
            SystemFiles.ofThisHost()
                    .forEach(path -> entries.put(path.getFileName().toString(), MOUNT_POINT));
        }
        return make("etc", entries, SharedFolders::systemFile);
    }

    private static void systemFile(Path path, String text) throws IOException {
        if (!text.equals(MOUNT_POINT)) {
            if (!Files.isDirectory(path.getParent())) {
                Files.createDirectory(path.getParent());
                Skeleton.make(path.getParent(), "rwxr-xr-x");
            }
            Files.writeString(path, text);
        } else if (Files.isDirectory(Path.of("/etc").resolve(path.getFileName()))) {
            Files.createDirectory(path);
        } else {
            Files.createFile(path);
        }
    }

    /** A link for each command that the template promises, and one to ask for permission, first on the PATH. */
    Path commands(TemplateRoot root, Template template) throws IOException {
        var commands = new TreeMap<>(root.commands(template));
        commands.put(AgentConfiguration.ASK, AgentConfiguration.AGENT);
        return make("bin", commands, (path, target) -> Files.createSymbolicLink(path, Path.of(target)));
    }

    private interface Entry {
        void make(Path path, String content) throws IOException;
    }

    private Path make(String kind, Map<String, String> entries, Entry entry) throws IOException {
        var made = folder.resolve(kind + "-" + hash(entries.toString()));
        if (Files.isDirectory(made)) {
            return made;
        }
        Files.createDirectories(folder);
        Skeleton.make(folder, "rwx--x--x");
        var part = Files.createTempDirectory(folder, kind);
        for (var one : entries.entrySet()) {
            entry.make(part.resolve(one.getKey()), one.getValue());
        }
        Skeleton.make(part, "rwxr-xr-x");
        try {
            Files.move(part, made, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Another thread was faster.
            Removal.delete(part);
            if (!Files.isDirectory(made)) {
                throw e;
            }
        }
        return made;
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(Sha256.of(text)).substring(0, NAME_LENGTH);
    }
}
