package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.OpenFiles;
import io.bivouac.runtimes.bubblewrap.linux.SpreadFolder;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All disks there are, each a folder. */
final class DiskStore {
    static final int WORKLOAD = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(DiskStore.class);
    private static final String OUTPUT = ".output";
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    private final Path folder;
    private final Backing backing;
    private final @Nullable UidRanges ranges;
    private final @Nullable SubordinateIds subordinate;
    private final Furnishing furnishing;

    /** Those that should be gone and are not. Nobody else knows of them any more, so they are tried again. */
    private final Map<String, Disk> stubborn = new ConcurrentHashMap<>();

    /** @param ranges null where the server itself has only one id */
    DiskStore(
            Path folder,
            Backing backing,
            @Nullable UidRanges ranges,
            @Nullable SubordinateIds subordinate,
            Furnishing furnishing) {
        this.folder = folder;
        this.backing = backing;
        this.ranges = ranges;
        this.subordinate = subordinate;
        this.furnishing = furnishing;
    }

    Backing backing() {
        return backing;
    }

    /** Makes the folders of folders. */
    void prepare() {
        try {
            for (var parent : List.of(folder, Disk.furnishedBeside(folder))) {
                SpreadFolder.mark(Files.createDirectories(parent));
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot use the folder for disks " + folder + ": " + e.getMessage(), e);
        }
    }

    Disk make(long limitBytes) {
        var id = SortableId.next("dsk-");
        var uid = ranges == null ? null : ranges.claim(id);
        var disk = new Disk(id, folder.resolve(id), limitBytes, uid);
        try {
            Files.createDirectories(disk.folder());
            open(disk.folder(), 0, "rwx--x--x");
            describe(disk);
            backing.make(disk);
            layOut(disk);
            furnishing.furnish(disk.furnished(), disk.uid());
            Files.createFile(disk.freshMark());
            return disk;
        } catch (IOException | RuntimeException e) {
            discard(disk);
            throw e instanceof RuntimeFailure failure
                    ? failure
                    : new RuntimeFailure("cannot make a disk of " + limitBytes + " bytes: " + e.getMessage(), e);
        }
    }

    private void describe(Disk disk) throws IOException {
        var description = new Disk.Description(backing.name(), disk.limitBytes(), disk.uid());
        var part = disk.folder().resolve("disk.json.part");
        Files.write(part, JSON.writeValueAsBytes(description));
        Files.move(part, disk.description(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void layOut(Disk disk) throws IOException {
        if (subordinate != null && Files.exists(disk.workspace())) {
            // Ours for a moment: whose modes are changed below must be our own.
            subordinate.run(disk.folder().resolve("output"), "chown", "0:0", disk.workspace());
        }
        open(disk.content(), 0, "rwx--x--x");
        give(disk, disk.workspace(), WORKLOAD, "rwxr-xr-x");
        give(disk, disk.home(), WORKLOAD, "rwxr-x---");
        give(disk, disk.rootHome(), 0, "rwx------");
        give(disk, disk.log(), 0, "rwx------");
        shared(disk, disk.tmp());
        shared(disk, disk.sharedMemory());
        if (subordinate != null) {
            var owner = WORKLOAD + ":" + WORKLOAD;
            subordinate.run(disk.folder().resolve("output"), "chown", owner, disk.workspace(), disk.home());
        }
    }

    /** @param inner the id as the sandbox sees it */
    private static void give(Disk disk, Path path, int inner, String mode) throws IOException {
        Files.createDirectories(path);
        open(path, disk.uid() == null ? -1 : disk.uid() + inner, mode);
    }

    private static void shared(Disk disk, Path path) throws IOException {
        give(disk, path, 0, "rwxrwxrwx");
        // With the sticky bit, which Java's permissions lack: nobody removes another's files.
        Files.setAttribute(path, "unix:mode", 01777);
    }

    private static void open(Path path, int uid, String mode) throws IOException {
        if (uid > 0) {
            Libc.chown(path, uid, uid);
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    /** Leaves only the workspace. */
    void keepOnlyWorkspace(Disk disk) throws IOException {
        backing.attach(disk);
        // Not by Java: a tree can be deeper than any path may be long.
        remove(
                disk.folder().resolve("output"),
                disk.home(),
                disk.rootHome(),
                disk.log(),
                disk.tmp(),
                disk.sharedMemory());
        layOut(disk);
    }

    private void remove(Path output, Path... paths) throws IOException {
        var words = new ArrayList<Object>(List.of("-rf", "--one-file-system"));
        words.addAll(List.of(paths));
        if (subordinate == null) {
            Programs.run(output, "rm", words.toArray());
        } else {
            words.addFirst("rm");
            subordinate.run(output, words.toArray());
        }
    }

    Disk grow(Disk disk, long limitBytes) throws IOException {
        backing.detach(disk);
        backing.grow(disk, limitBytes);
        var grown = new Disk(disk.id(), disk.folder(), limitBytes, disk.uid());
        describe(grown);
        return grown;
    }

    /** Removes what nobody may use any more; what cannot be removed now is tried again by {@link #tidy}. */
    void discard(Disk disk) {
        try {
            remove(disk);
            stubborn.remove(disk.id());
        } catch (RuntimeException e) {
            if (stubborn.put(disk.id(), disk) == null) {
                LOG.warn("The disk {} is still there, and will be tried again: {}", disk.id(), e.getMessage());
            }
        }
    }

    /** The same for a disk that is known by its id alone. */
    void discard(String id) {
        var disk = unfinished(id);
        try {
            disk = find(id).orElse(disk);
        } catch (RuntimeException unreadable) {
            stubborn.put(id, disk);
            LOG.warn("The disk {} is still there, and will be tried again: {}", id, unreadable.getMessage());
            return;
        }
        discard(disk);
    }

    /** Tries again what could not be removed. */
    void tidy() {
        List.copyOf(stubborn.keySet()).forEach(this::discard);
    }

    private Disk unfinished(String id) {
        return new Disk(id, folder.resolve(id), 0, null);
    }

    void remove(Disk disk) {
        try {
            backing.detach(disk);
            if (Files.exists(disk.folder())) {
                // In this order: as long as the disk's own folder is there, somebody knows of both.
                remove(folder.resolve(disk.id() + OUTPUT), disk.furnished(), disk.folder());
            }
            if (disk.uid() != null && ranges != null) {
                ranges.release(disk.uid(), disk.id());
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot remove the disk " + disk.id() + ": " + e.getMessage(), e);
        }
    }

    /** Empty when there is none, or one that was never finished. */
    Optional<Disk> find(String id) {
        var disk = unfinished(id);
        try {
            var description = JSON.readValue(Files.readAllBytes(disk.description()), Disk.Description.class);
            return description != null && description.backing().equals(backing.name())
                    ? Optional.of(new Disk(id, disk.folder(), description.limitBytes(), description.uid()))
                    : Optional.empty();
        } catch (IOException none) {
            OpenFiles.mustNotBeExhausted(none);
            return Optional.empty();
        }
    }

    /** Everything there is, finished or not. */
    List<Disk> all() {
        var disks = new ArrayList<Disk>();
        if (!Files.isDirectory(folder)) {
            return disks;
        }
        try (var entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (var entry : entries) {
                var id = entry.getFileName().toString();
                disks.add(find(id).orElseGet(() -> unfinished(id)));
            }
            return disks;
        } catch (IOException e) {
            throw new RuntimeFailure("cannot list the disks: " + e, e);
        }
    }

    /** What a server that was killed while it removed a disk has left beside it. */
    void removeOutputs() {
        try (var outputs = Files.newDirectoryStream(folder, "*" + OUTPUT)) {
            for (var output : outputs) {
                Files.deleteIfExists(output);
            }
        } catch (NoSuchFileException none) {
            // No disk was ever made.
        } catch (IOException e) {
            throw new RuntimeFailure("cannot tidy the disks: " + e, e);
        }
    }

    void releaseUnheldRanges() {
        if (ranges != null) {
            ranges.recover(owner -> Files.isDirectory(folder.resolve(owner)));
        }
    }
}
