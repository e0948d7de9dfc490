package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.disk.DiskSettings;
import io.bivouac.runtimes.bubblewrap.disk.Reserve;
import io.bivouac.runtimes.bubblewrap.disk.SubordinateIds;
import io.bivouac.sandboxmodel.ByteSize;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How sandboxes are made on this machine.
 *
 * @param uidBase the first host id given to sandboxes; unset, it follows from the data folder's name
 * @param uidRanges how many sandboxes, kept disks and disks in the pool there can be
 * @param cgroupParent the control group under which ours are
 * @param pidsLimit processes and threads in one sandbox
 * @param disk what holds the limit on disk space: {@code auto}, {@code image} or {@code folder}
 * @param diskPool how many disks are made ahead of time
 * @param diskPoolSize their size; best the size that most sandboxes ask for
 * @param diskPoolPause between making two of them
 * @param diskReserve free space that sandboxes leave on the disk: {@code auto}, {@code 5%} or {@code 10g}; 0 for none
 */
@ConfigurationProperties("bivouac.bubblewrap")
public record BubblewrapSettings(
        @Bindable(defaultValue = "/usr/bin/bwrap") Path bwrap,
        @Nullable Integer uidBase,
        @Bindable(defaultValue = "4096") int uidRanges,
        @Bindable(defaultValue = "bivouac") String cgroupParent,
        @Bindable(defaultValue = "512") int pidsLimit,
        @Bindable(defaultValue = "AUTO") DiskSettings.Kind disk,
        @Bindable(defaultValue = "8") int diskPool,
        @Bindable(defaultValue = "1g") String diskPoolSize,
        @Bindable(defaultValue = "50ms") Duration diskPoolPause,
        @Bindable(defaultValue = "auto") String diskReserve) {
    // The ids that systemd leaves to containers end at 0x6FFFFFFF; each block has room for 4096 ranges.
    private static final int BLOCK = 0x1000_0000;
    private static final int BLOCKS = 6;

    public static BubblewrapSettings defaults() {
        return new BubblewrapSettings(
                Path.of("/usr/bin/bwrap"),
                null,
                4096,
                "bivouac",
                512,
                DiskSettings.Kind.AUTO,
                8,
                "1g",
                Duration.ofMillis(50),
                "auto");
    }

    /** The same with bubblewrap at another place. */
    public BubblewrapSettings with(Path otherBwrap) {
        return new BubblewrapSettings(
                otherBwrap,
                uidBase,
                uidRanges,
                cgroupParent,
                pidsLimit,
                disk,
                diskPool,
                diskPoolSize,
                diskPoolPause,
                diskReserve);
    }

    /** Two installations on one machine most likely get different ids, so that they share no limits of a user. */
    int firstUid(Path dataFolder) {
        return uidBase != null
                ? uidBase
                : BLOCK * (1 + Math.floorMod(dataFolder.toString().hashCode(), BLOCKS));
    }

    DiskSettings disks(Path dataFolder, boolean root, @Nullable SubordinateIds subordinate) {
        return new DiskSettings(
                disk,
                root ? firstUid(dataFolder) : null,
                uidRanges,
                diskPool,
                ByteSize.parse(diskPoolSize),
                diskPoolPause,
                Reserve.parse(diskReserve),
                subordinate);
    }
}
