package io.bivouac.terminalrelay.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition. */
public final class Wait {
    private static final Duration AT_MOST = Duration.ofSeconds(20);

    private Wait() {}

    public static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("did not come true within " + AT_MOST);
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
    }
}
