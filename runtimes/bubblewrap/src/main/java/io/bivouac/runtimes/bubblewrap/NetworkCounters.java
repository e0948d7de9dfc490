package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.runtime.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What has passed the interfaces that a process sees, its loopback aside. */
final class NetworkCounters {
    private static final int HEADINGS = 2;
    private static final int SENT = 8;

    private NetworkCounters() {}

    static Usage.Network of(int pid) {
        try (var lines = Files.lines(Path.of("/proc/" + pid + "/net/dev"))) {
            return lines.skip(HEADINGS)
                    .map(String::strip)
                    .filter(line -> !line.startsWith("lo:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip().split("\\s+", -1))
                    .map(fields -> new Usage.Network(Long.parseLong(fields[0]), Long.parseLong(fields[SENT])))
                    .reduce(new Usage.Network(0, 0), NetworkCounters::sum);
        } catch (IOException | java.io.UncheckedIOException gone) {
            return new Usage.Network(0, 0);
        }
    }

    private static Usage.Network sum(Usage.Network one, Usage.Network other) {
        return new Usage.Network(one.rxBytes() + other.rxBytes(), one.txBytes() + other.txBytes());
    }
}
