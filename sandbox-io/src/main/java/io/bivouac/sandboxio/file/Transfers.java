package io.bivouac.sandboxio.file;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bounds how many contents go in or out of one sandbox at a time, and how many watch it. Thread-safe. */
@Singleton
class Transfers {
    private final FileSettings settings;
    private final FileMetrics metrics;
    private final Map<String, Integer> underWay = new ConcurrentHashMap<>();

    Transfers(FileSettings settings, FileMetrics metrics) {
        this.settings = settings;
        this.metrics = metrics;
        metrics.countTransfers(
                () -> underWay.values().stream().mapToInt(Integer::intValue).sum());
    }

    /** Which way contents go. */
    enum Direction {
        IN,
        OUT,
        WATCH
    }

    /** Takes a place, or refuses. */
    Transfer begin(String sandbox, Direction direction) {
        boolean watch = direction == Direction.WATCH;
        int most = watch ? settings.getWatches() : settings.getTransfers();
        var key = (watch ? "watch/" : "transfer/") + sandbox;
        underWay.merge(key, 1, (present, one) -> {
            if (present >= most) {
                throw new BivouacException(
                        ErrorCode.TRANSFER_LIMIT_EXCEEDED,
                        "Sandbox " + sandbox + " has " + most + (watch ? " watches" : " transfers")
                                + ", which is the limit; try again when one has ended.");
            }
            return present + one;
        });
        return new Transfer(key, direction);
    }

    /** One of them, until it ends. */
    final class Transfer {
        private final String key;
        private final Direction direction;
        private final AtomicBoolean over = new AtomicBoolean();

        private Transfer(String key, Direction direction) {
            this.key = key;
            this.direction = direction;
        }

        void carried(int bytes) {
            metrics.carried(direction, bytes);
        }

        /** Once or more. */
        void end() {
            if (over.compareAndSet(false, true)) {
                underWay.computeIfPresent(key, (_, present) -> present == 1 ? null : present - 1);
            }
        }
    }
}
