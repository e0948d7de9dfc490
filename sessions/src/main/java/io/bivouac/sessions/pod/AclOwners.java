package io.bivouac.sessions.pod;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Finds all resources of a Pod on this machine that have an ACL of their own. Thread-safe. */
@Singleton
class AclOwners {
    /** More than that would take too long to ask again and again. */
    private static final int MOST_ACLS = 10_000;

    private static final int MOST_FILES = 1_000_000;
    private static final int MOST_PODS = 100;

    /** The sessions of a Pod are asked about one after the other. */
    private static final Duration REMEMBERED_FOR = Duration.ofMillis(500);

    private final Cache<Path, List<String>> remembered = Caffeine.newBuilder()
            .maximumSize(MOST_PODS)
            .expireAfterWrite(REMEMBERED_FOR)
            .build();

    /** Their paths from the Pod's root, those of containers with a slash at the end. */
    List<String> in(Path folder) throws PodUnreadable {
        var known = remembered.getIfPresent(folder);
        if (known == null) {
            known = walk(folder);
            remembered.put(folder, known);
        }
        return known;
    }

    private static List<String> walk(Path folder) throws PodUnreadable {
        try {
            var walk = new Walk(folder.toRealPath());
            Files.walkFileTree(walk.root, walk);
            return List.copyOf(walk.owners);
        } catch (IOException failed) {
            throw new PodUnreadable("its ACLs cannot be found: " + failed.getMessage());
        }
    }

    /** Links are not followed: what they lead to is found where it is. */
    private static final class Walk extends SimpleFileVisitor<Path> {
        private final Path root;
        private final List<String> owners = new ArrayList<>();
        private int files;

        Walk(Path root) {
            this.root = root;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (++files > MOST_FILES) {
                throw new IOException("it has more than " + MOST_FILES + " files");
            }
            var path = "/" + root.relativize(file);
            for (var ending : List.of(PodAccess.ACL_ENDING, PodAccess.ACL_ENDING + FolderStorage.TURTLE_ENDING)) {
                if (path.endsWith(ending)) {
                    owners.add(path.substring(0, path.length() - ending.length()));
                }
            }
            if (owners.size() > MOST_ACLS) {
                throw new IOException("it has more than " + MOST_ACLS + " ACLs");
            }
            return FileVisitResult.CONTINUE;
        }

        /** The Pod's server works on it meanwhile. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
            if (failed instanceof NoSuchFileException && !file.equals(root)) {
                return FileVisitResult.CONTINUE;
            }
            throw failed;
        }
    }
}
