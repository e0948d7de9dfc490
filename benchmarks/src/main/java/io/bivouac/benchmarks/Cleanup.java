package io.bivouac.benchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What an interrupted run must still close: the latest first, as try-with-resources would. Thread-safe. */
final class Cleanup {
    private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Cleanup::closeAll));
    }

    private Cleanup() {}

    static void expect(AutoCloseable resource) {
        synchronized (OPEN) {
            OPEN.push(resource);
        }
    }

    /** False when it is closed already. */
    static boolean claim(AutoCloseable resource) {
        synchronized (OPEN) {
            return OPEN.remove(resource);
        }
    }

    private static void closeAll() {
        List<AutoCloseable> left;
        synchronized (OPEN) {
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
