package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out how the limit on disk space can be held here. */
final class BackingDetection {
    private BackingDetection() {}

    static Backing detect(Path data, DiskSettings.Kind kind) {
        return switch (kind) {
            case IMAGE -> new ImageBacking(new BlankImages(data.resolve("blank-disks")));
            case FOLDER -> new FolderBacking("the settings ask for plain folders");
            case AUTO -> best(data);
        };
    }

    private static Backing best(Path data) {
        var obstacle = obstacle();
        return obstacle.isPresent()
                ? new FolderBacking(obstacle.get())
                : new ImageBacking(new BlankImages(data.resolve("blank-disks")));
    }

    /** Why no images can be mounted here; empty when they can. */
    static Optional<String> obstacle() {
        if (!Libc.isRoot()) {
            return Optional.of("only root may mount the images that hold it");
        }
        if (!Files.exists(Path.of("/dev/loop-control"))) {
            return Optional.of("this host has no loop devices");
        }
        return Programs.find("mkfs.ext4").isEmpty()
                ? Optional.of("mkfs.ext4 is not installed (install e2fsprogs)")
                : Optional.empty();
    }
}
