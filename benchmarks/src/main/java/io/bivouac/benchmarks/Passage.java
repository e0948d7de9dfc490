package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What questions and their answers have spent in the relay so far, as its own metrics tell.
 *
 * @param upTo how many took at most so many seconds
 */
record Passage(double seconds, double count, Map<Double, Double> upTo) {
    private static final String NAME = "terminal_permission_passage_seconds_";
    private static final Pattern BOUND = Pattern.compile("le=\"([^\"]+)\"");
    private static final double MILLIS = 1e3;
    private static final double MOST = 0.99;

    /**
     * Of one part, "question" or "answer".
     */
    static Passage of(String part, Connection connection) throws IOException {
        double seconds = 0;
        double count = 0;
        var upTo = new TreeMap<Double, Double>();
        for (var line : connection.get("/metrics").mustBe(200).body().split("\n")) {
            if (line.startsWith(NAME) && line.contains("part=\"" + part + "\"")) {
                double value = Double.parseDouble(line.substring(line.lastIndexOf(' ')));
                if (line.startsWith("sum", NAME.length())) {
                    seconds = value;
                } else if (line.startsWith("count", NAME.length())) {
                    count = value;
                } else if (line.startsWith("bucket", NAME.length())) {
                    upTo.put(bound(line), value);
                }
            }
        }
        return new Passage(seconds, count, upTo);
    }

    private static double bound(String line) {
        var bound = BOUND.matcher(line);
        if (!bound.find()) {
            throw new IllegalStateException("no bound in " + line);
        }
        return bound.group(1).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound.group(1));
    }

    /** What has come to it after the earlier reading. */
    Passage since(Passage earlier) {
        var more = new TreeMap<>(upTo);
        more.replaceAll((bound, number) -> number - earlier.upTo.getOrDefault(bound, 0.0));
        return new Passage(seconds - earlier.seconds, count - earlier.count, more);
    }

    double meanMillis() {
        return seconds * MILLIS / count;
    }

    /** The bound under which 99 of 100 lie. */
    double p99Millis() {
        return upTo.entrySet().stream()
                .filter(bucket -> bucket.getValue() >= MOST * count)
                .mapToDouble(bucket -> bucket.getKey() * MILLIS)
                .findFirst()
                .orElseThrow();
    }
}
