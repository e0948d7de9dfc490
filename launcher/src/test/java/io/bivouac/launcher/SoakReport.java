package io.bivouac.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The ledger of a run that lost and left nothing, in words. */
final class SoakReport {
    private SoakReport() {}

    /** What was counted at the end. */
    record End(int events, SoakReceiver receiver, long heapBefore, long heapAfter) {}

    static List<String> lines(Duration time, long seed, SoakLedger ledger, End end) {
        var lines = new ArrayList<String>();
        lines.add("## %s: %s of mixed load, %d kills".formatted(LocalDate.now(), inWords(time), ledger.kills()));
        lines.add("");
        lines.add("Machine: %s. Seed %d.".formatted(machine(), seed));
        lines.add("");
        lines.addAll(ledger.lines());
        lines.add("");
        lines.add("| lost | |");
        lines.add("|---|---|");
        lines.add("| creates answered 201 and gone, of %,d | 0 |".formatted(ledger.kept("creates")));
        lines.add("| deletes answered 204 and still there, of %,d | 0 |".formatted(ledger.deleted.size()));
        lines.add("| commands answered wrongly, of %,d | 0 |".formatted(ledger.kept("commands")));
        lines.add("| events that came to no webhook receiver, of %,d (in %,d requests) | 0 |"
                .formatted(end.events(), end.receiver().requests.sum()));
        lines.add("| permission requests without an answer | 0 |");
        lines.add("");
        lines.add("| left behind after all were deleted and the server stopped | |");
        lines.add("|---|---|");
        lines.add("| mounts, loop devices, control groups, processes, sandbox folders, disks, ids | 0 |");
        lines.add("");
        lines.add("Heap in use after a collection: %.1f MiB at the start, %.1f MiB at the end."
                .formatted(end.heapBefore() / 1048576.0, end.heapAfter() / 1048576.0));
        return lines;
    }

    private static String inWords(Duration time) {
        return time.toMinutes() == 0 ? time.toSeconds() + " s" : time.toMinutes() + " min";
    }

    private static String machine() {
        return "%d processors, %s of memory, Linux %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        memory(),
                        System.getProperty("os.version"),
                        Runtime.version());
    }

    private static String memory() {
        try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
            var kilobytes = lines.filter(line -> line.startsWith("MemTotal:"))
                    .map(line -> line.replaceAll("\\D", ""))
                    .findFirst()
                    .orElse("0");
            return Long.parseLong(kilobytes) / 1_048_576 + " GiB";
        } catch (IOException unknown) {
            return "an unknown amount";
        }
    }
}
