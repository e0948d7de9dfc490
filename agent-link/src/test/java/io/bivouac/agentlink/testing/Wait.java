package io.bivouac.agentlink.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition. */
public final class Wait {
    private static final Duration AT_MOST = Duration.ofSeconds(Integer.getInteger("bivouac.test.patience", 60));

    private Wait() {}

    public static void until(BooleanSupplier condition) {
        until(condition, () -> "");
    }

    /** With what was seen instead. */
    public static void until(BooleanSupplier condition, Supplier<String> seen) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("did not come true within " + AT_MOST + "; " + seen.get());
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
    }
}
