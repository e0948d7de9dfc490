package io.bivouac.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Files of a running sandbox: large ones, small ones, many at once. */
final class FilesGroup implements Group {
    private static final long LARGE = 1_000_000_000;
    private static final double MEGABYTE = 1e6;
    private static final int SMALL = 4 * 1024;
    private static final int OPERATIONS = 1000;
    private static final int PACKED = 1000;
    private static final int LISTED = 10_000;
    private static final int TAR_BLOCK = 512;
    private static final double LEAST_IN = 250;
    private static final double LEAST_OUT = 350;
    private static final double LONGEST_READ = 2;
    private static final double LONGEST_WRITE = 3;
    private static final double LONGEST_UNPACK = 400;
    private static final double LONGEST_LIST = 200;

    @Override
    public String name() {
        return "files";
    }

    @Override
    public String about() {
        return "a large file in and out, small files, an archive and a long list; beside cat and cp in the sandbox";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("files: of a running sandbox, over kept-alive HTTP");
        try (var folder = new WorkFolder("files");
                var server = Server.start(folder.path().resolve("data"));
                var connection = server.connect()) {
            var id = wide(connection);
            var files = new SandboxFiles(connection, Sandboxes.PATH + "/" + id);
            large(table, files, scale.of((int) (LARGE / 1000)) * 1000L);
            small(table, files, scale.of(OPERATIONS));
            many(table, files);
        }
        table.note(Sandboxes.WIDE);
        table.note("Uploads are flushed to the disk before they are answered; so is the cp beside them (with sync).");
        return table;
    }

    private static String wide(Connection connection) throws IOException {
        var processors = Runtime.getRuntime().availableProcessors();
        var body = "{\"template\":\"default\",\"resources\":{\"cpu\":%d,\"memory\":\"2Gi\",\"disk\":\"5Gi\"}}"
                .formatted(processors);
        return Sandboxes.idIn(connection.post(Sandboxes.PATH, body).mustBe(201).body());
    }

    private static void large(Table table, SandboxFiles files, long bytes) throws IOException {
        files.upload("warm", bytes / 10);
        double in = rate(bytes, () -> files.upload("large", bytes));
        double out = rate(bytes, () -> files.download("large"));
        double copied = rate(bytes, () -> files.run("cp large copy && sync copy"));
        double catted = rate(bytes, () -> files.stream("cat large"));
        table.add(
                "%,d MB in".formatted(bytes / 1_000_000),
                Figure.of("megabytesPerSecond", in, "MB/s"),
                Figure.of("megabytesPerSecond", copied, "MB/s").named("cp and sync inside"),
                Figure.amount(in / copied) + "×",
                new Goal("≥ 250 MB/s", in >= LEAST_IN));
        table.add(
                "%,d MB out".formatted(bytes / 1_000_000),
                Figure.of("megabytesPerSecond", out, "MB/s"),
                Figure.of("megabytesPerSecond", catted, "MB/s").named("cat as a stream"),
                Figure.amount(out / catted) + "×",
                new Goal("≥ 350 MB/s", out >= LEAST_OUT));
    }

    private static void small(Table table, SandboxFiles files, int count) throws Exception {
        files.upload("small", SMALL);
        Load.run(count, () -> files.download("small"));
        var read = Load.run(count, () -> files.download("small"));
        var cat = Load.run(count, () -> files.run("cat small"));
        Load.run(count, () -> files.upload("small", SMALL));
        var write = Load.run(count, () -> files.upload("small", SMALL));
        table.add(
                "4 KB read",
                read.figureWithRate(),
                cat.figureWithRate().named("cat by exec"),
                Figure.amount(read.p50() / cat.p50()) + "×",
                new Goal("p50 ≤ 2 ms", read.p50() <= LONGEST_READ));
        table.add(
                "4 KB write",
                write.figureWithRate(),
                Figure.NONE,
                "",
                new Goal("p50 ≤ 3 ms", write.p50() <= LONGEST_WRITE));
    }

    private static void many(Table table, SandboxFiles files) throws Exception {
        var archive = tar(PACKED);
        files.unpack("warm-up", archive);
        var unpacked = Load.run(5, () -> files.unpack("packed", archive));
        var next = new AtomicLong();
        var single = Load.run(PACKED, () -> files.upload("single-" + next.incrementAndGet(), SMALL));
        table.add(
                "1,000 × 4 KB in",
                Figure.of("millis", unpacked.p50(), "ms"),
                Figure.of("millis", single.wallNanos() / 1e6, "ms").named("one by one"),
                "1/" + Figure.amount(single.wallNanos() / 1e6 / unpacked.p50()),
                new Goal("≤ 400 ms", unpacked.p50() <= LONGEST_UNPACK));
        files.run("mkdir -p listed && cd listed && seq -f f%%g %d | xargs touch".formatted(LISTED));
        files.list("listed", LISTED);
        var listed = Load.run(5, () -> files.list("listed", LISTED));
        table.add(
                "list of 10,000",
                Figure.of("millis", listed.p50(), "ms"),
                Figure.NONE,
                "",
                new Goal("≤ 200 ms", listed.p50() <= LONGEST_LIST));
    }

    private static double rate(long bytes, Load.Client act) throws IOException {
        long begin = System.nanoTime();
        try {
            act.act();
        } catch (IOException broken) {
            throw broken;
        } catch (Exception broken) {
            throw new IOException(broken);
        }
        return bytes / MEGABYTE / ((System.nanoTime() - begin) / 1e9);
    }

    private static byte[] tar(int files) {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < files; i++) {
            var head = new byte[TAR_BLOCK];
            put(head, 0, "file-" + i);
            put(head, 100, "0000644");
            put(head, 108, "0000000");
            put(head, 116, "0000000");
            put(head, 124, "%011o".formatted(SMALL));
            put(head, 136, "00000000000");
            put(head, 148, "        ");
            head[156] = '0';
            int sum = 0;
            for (var one : head) {
                sum += one;
            }
            put(head, 148, "%06o\0 ".formatted(sum));
            all.writeBytes(head);
            all.writeBytes(new byte[SMALL]);
        }
        all.writeBytes(new byte[2 * TAR_BLOCK]);
        return all.toByteArray();
    }

    private static void put(byte[] block, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }
}
