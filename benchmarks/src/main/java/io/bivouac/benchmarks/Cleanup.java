package io.bivouac.benchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What an interrupted run must still close: the latest first, as try-with-resources would. Thread-safe. */
final class Cleanup {
    private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();

    private static final Thread HOOK = new Thread(Cleanup::closeAll);
    private static boolean interrupted;

    static {
        Runtime.getRuntime().addShutdownHook(HOOK);
    }

    private Cleanup() {}

    static void expect(AutoCloseable resource) {
        synchronized (OPEN) {
            OPEN.push(resource);
        }
    }

    /** False when it is closed already, or when closing is no longer the caller's: the order must hold. */
    static boolean claim(AutoCloseable resource) {
        synchronized (OPEN) {
            return (!interrupted || Thread.currentThread() == HOOK) && OPEN.remove(resource);
        }
    }

    private static void closeAll() {
        List<AutoCloseable> left;
        synchronized (OPEN) {
            interrupted = true;
            left = new ArrayList<>(OPEN);
        }
        for (var resource : left) {
            try {
                resource.close();
            } catch (Exception failed) {
                System.err.println("could not clean up: " + failed.getMessage());
            }
        }
    }
}
