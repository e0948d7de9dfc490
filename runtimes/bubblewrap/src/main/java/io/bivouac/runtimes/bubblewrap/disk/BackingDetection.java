package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import java.nio.file.Files;
import java.nio.file.Path;

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
        if (!Libc.isRoot()) {
            return new FolderBacking("only root may mount the images that hold it");
        }
        if (!Files.exists(Path.of("/dev/loop-control"))) {
            return new FolderBacking("this host has no loop devices");
        }
        if (Programs.find("mkfs.ext4").isEmpty()) {
            return new FolderBacking("mkfs.ext4 is not installed (install e2fsprogs)");
        }
        return new ImageBacking(new BlankImages(data.resolve("blank-disks")));
    }
}
