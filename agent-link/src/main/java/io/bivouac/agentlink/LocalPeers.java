package io.bivouac.agentlink;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Tells sandboxes of this machine apart by the processes that connect. A process in a sandbox is below the first process
 * of the sandbox's own process namespace; it can change its user and make namespaces of its own, but not leave that
 * one. Thread-safe.
 */
final class LocalPeers {
    /** A process of this machine, or one of a machine that does not show its processes. */
    static final int NO_SANDBOX = 0;

    /** A process that is gone, or below more processes than anybody follows. */
    static final int UNKNOWN = -1;

    /** Processes between one that connects and the first one of its sandbox; more than a sandbox may have. */
    private static final int DEEPEST = 1_024;

    /** How long a process is taken for what it was: it may open many connections. */
    private static final Duration REMEMBERED = Duration.ofSeconds(1);

    private static final int MOST_REMEMBERED = 4_096;

    /** False where the kernel hides other users' processes, so that nothing can be told from a missing one. */
    private final boolean showsAll = Files.isReadable(status(1));

    private final Cache<Integer, Integer> seen = Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterWrite(REMEMBERED)
            .build();

    /** The first process of the sandbox that this process is in, as this machine numbers it. */
    int sandboxOf(int pid) {
        return pid <= 0 || !showsAll ? NO_SANDBOX : seen.get(pid, LocalPeers::firstAbove);
    }

    private static int firstAbove(int pid) {
        int first = NO_SANDBOX;
        int above = pid;
        for (int step = 0; step < DEEPEST; step++) {
            var found = Ancestor.read(above);
            if (found == null) {
                return UNKNOWN;
            }
            if (!found.inNamespace()) {
                return first;
            }
            first = above;
            above = found.parent();
        }
        return UNKNOWN;
    }

    private static Path status(int pid) {
        return Path.of("/proc", Integer.toString(pid), "status");
    }

    /** @param inNamespace whether it has a number of its own in a process namespace below this process's */
    private record Ancestor(int parent, boolean inNamespace) {
        private static final String PARENT = "PPid:";
        private static final String NUMBERS = "NSpid:";

        static @Nullable Ancestor read(int pid) {
            List<String> lines;
            try {
                // A program chooses its name, which need not be text.
                lines = Files.readAllLines(status(pid), StandardCharsets.ISO_8859_1);
            } catch (IOException gone) {
                return null;
            }
            int parent = 0;
            boolean below = false;
            for (var line : lines) {
                if (line.startsWith(PARENT)) {
                    parent = Integer.parseInt(line.substring(PARENT.length()).strip());
                } else if (line.startsWith(NUMBERS)) {
                    below = line.substring(NUMBERS.length()).strip().split("\\s+").length > 1;
                }
            }
            return new Ancestor(parent, below);
        }
    }
}
