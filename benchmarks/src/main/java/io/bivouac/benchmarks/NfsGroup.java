package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/** Files of a workspace through a mount from outside, beside the same disk without one. */
final class NfsGroup implements Group {
    private static final int MEGABYTES = 512;
    private static final int MEGA = 1 << 20;
    private static final int ROUNDS = 3;
    private static final int SMALL_FILES = 1000;
    private static final int SMALL_BYTES = 4096;
    private static final double SLOWEST_READ = 600;
    private static final double LEAST_SHARE = 0.45;
    private static final double LONGEST_MILLIS = 700;
    private static final Pattern PORT = Pattern.compile("\"port\":(\\d+)");

    @Override
    public String name() {
        return "nfs";
    }

    @Override
    public String about() {
        return "a large file and a thousand small ones by NFS; beside cp on the same disk";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("NFS: files of a workspace from outside");
        var copy = Programs.find("nfs-cp").orElseThrow(() -> new IllegalStateException("libnfs-utils is missing"));
        var print = Programs.find("nfs-cat").orElseThrow(() -> new IllegalStateException("libnfs-utils is missing"));
        try (var folder = new WorkFolder("nfs")) {
            var source = randomFile(folder.path().resolve("source"), scale.of(MEGABYTES));
            try (var server = Server.start(folder.path().resolve("data"));
                    var connection = server.connect()) {
                var site = Site.of(new Sandboxes(connection).create(), folder.path());
                write(table, site, source, copy, scale);
                read(table, site, print, scale);
            }
            var ahead = Map.of("BIVOUAC_NFS_ASYNC", "true");
            try (var server = Server.start(folder.path().resolve("data"), ahead);
                    var connection = server.connect()) {
                small(table, Site.of(new Sandboxes(connection).create(), folder.path()), scale);
            }
        }
        table.note(
                "The best of " + ROUNDS + " rounds each. Small files: `BIVOUAC_NFS_ASYNC=true`, each made, written and"
                        + " committed, one call after the other.");
        return table;
    }

    /** A workspace by both ways. */
    private record Site(String id, int port, Path workspace) {
        static Site of(String created, Path folder) throws IOException {
            var port = PORT.matcher(created);
            if (!port.find()) {
                throw new IllegalStateException("no nfs in " + created);
            }
            try (var found = Files.find(
                    folder.resolve("data/disks"),
                    3,
                    (path, _) -> path.endsWith("content/workspace")
                            && !Files.exists(path.getParent().resolveSibling("fresh")))) {
                var workspace = found.max((one, other) -> one.compareTo(other)).orElseThrow();
                return new Site(Sandboxes.idIn(created), Integer.parseInt(port.group(1)), workspace);
            }
        }

        String url(String file) {
            return "nfs://127.0.0.1/%s/%s?nfsport=%d&mountport=%d&version=3".formatted(id, file, port, port);
        }
    }

    private static Path randomFile(Path path, int megabytes) throws IOException {
        var random = new Random(1);
        var part = new byte[MEGA];
        try (var out = Files.newOutputStream(path)) {
            for (int written = 0; written < megabytes; written++) {
                random.nextBytes(part);
                out.write(part);
            }
        }
        return path;
    }

    private static void write(Table table, Site site, Path source, String copy, Scale scale) throws Exception {
        int megabytes = scale.of(MEGABYTES);
        double ours = megabytes
                / best(() -> {
                    Files.deleteIfExists(site.workspace().resolve("large"));
                    return seconds(() -> Programs.run(List.of(copy, source.toString(), site.url("large"))));
                });
        var plain = site.workspace().resolve("plain");
        double bare = megabytes
                / best(() -> {
                    Files.deleteIfExists(plain);
                    return seconds(() -> Programs.run(
                            List.of("/bin/dd", "if=" + source, "of=" + plain, "bs=1M", "conv=fsync", "status=none")));
                });
        Files.delete(plain);
        table.add(
                "write " + megabytes + " MB and commit",
                Figure.of("megabytesPerSecond", ours, "MB/s"),
                Figure.of("megabytesPerSecond", bare, "MB/s").named("cp with fsync"),
                Figure.amount(ours / bare) + "×",
                new Goal("≥ 0.45 ×", ours / bare >= LEAST_SHARE));
    }

    private static void read(Table table, Site site, String print, Scale scale) throws Exception {
        int megabytes = scale.of(MEGABYTES);
        double ours = megabytes / best(() -> seconds(() -> Programs.run(List.of(print, site.url("large")))));
        var file = site.workspace().resolve("large");
        double bare = megabytes
                / best(() -> seconds(
                        () -> Programs.run(List.of("/bin/dd", "if=" + file, "of=/dev/null", "bs=1M", "status=none"))));
        table.add(
                "read " + megabytes + " MB",
                Figure.of("megabytesPerSecond", ours, "MB/s"),
                Figure.of("megabytesPerSecond", bare, "MB/s").named("dd"),
                Figure.amount(ours / bare) + "×",
                new Goal("≥ 600 MB/s", ours >= SLOWEST_READ));
    }

    private static void small(Table table, Site site, Scale scale) throws Exception {
        int files = scale.of(SMALL_FILES);
        var data = new byte[SMALL_BYTES];
        new Random(1).nextBytes(data);
        var times = new ArrayList<Double>();
        try (var calls = new NfsCalls("127.0.0.1", site.port())) {
            var root = calls.mount("/" + site.id());
            for (int round = 0; round < ROUNDS; round++) {
                int number = round;
                times.add(seconds(() -> {
                    for (int file = 0; file < files; file++) {
                        calls.write(root, "small-" + number + "-" + file, data);
                    }
                }));
            }
        }
        double ours = times.stream().min(Double::compare).orElseThrow() * 1e3;
        var folder = Files.createDirectory(site.workspace().resolve("plain"));
        double bare = seconds(() -> {
                    for (int file = 0; file < files; file++) {
                        Files.write(folder.resolve("small-" + file), data);
                    }
                })
                * 1e3;
        table.add(
                files + " files of 4 KB",
                Figure.of("milliseconds", ours, "ms"),
                Figure.of("milliseconds", bare, "ms").named("written there"),
                Figure.amount(ours / bare) + "×",
                new Goal("≤ 700 ms", ours <= LONGEST_MILLIS));
    }

    /** Something that takes time. */
    private interface Work {
        void run() throws Exception;
    }

    /** The seconds that something took. */
    private interface Timed {
        double run() throws Exception;
    }

    private static double seconds(Work work) throws Exception {
        long begun = System.nanoTime();
        work.run();
        return (System.nanoTime() - begun) / 1e9;
    }

    private static double best(Timed timed) throws Exception {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            best = Math.min(best, timed.run());
        }
        return best;
    }
}
