package io.bivouac.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How long each of many operations took, and how long all of them together. */
record Latencies(long[] sortedNanos, long wallNanos) {
    private static final double NANOS_IN_MILLI = 1e6;
    private static final double NANOS_IN_SECOND = 1e9;

    static Latencies of(List<Long> nanos, long wallNanos) {
        return new Latencies(nanos.stream().mapToLong(Long::longValue).sorted().toArray(), wallNanos);
    }

    /** Of the same kind of operation, measured in turns with something else. */
    static Latencies joined(List<Latencies> parts) {
        var all = new ArrayList<Long>();
        parts.forEach(part -> Arrays.stream(part.sortedNanos).forEach(all::add));
        return of(all, parts.stream().mapToLong(Latencies::wallNanos).sum());
    }

    /** Of several turns the one in the middle: a hiccup of the machine in one of them decides nothing. */
    static double medianP99(List<Latencies> turns) {
        var sorted = turns.stream().mapToDouble(Latencies::p99).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    int count() {
        return sortedNanos.length;
    }

    double p50() {
        return percentile(50);
    }

    double p99() {
        return percentile(99);
    }

    /** In milliseconds. */
    private double percentile(int percent) {
        int index = (int) Math.ceil(sortedNanos.length * percent / 100.0) - 1;
        return sortedNanos[Math.max(0, index)] / NANOS_IN_MILLI;
    }

    double perSecond() {
        return sortedNanos.length * NANOS_IN_SECOND / wallNanos;
    }

    Figure figure() {
        return new Figure(Figure.amount(p50()) + " / " + Figure.amount(p99()) + " ms", numbers());
    }

    Figure figureWithRate() {
        return new Figure(figure().text() + ", " + Figure.amount(perSecond()) + "/s", numbers());
    }

    Figure rate() {
        return new Figure(Figure.amount(perSecond()) + "/s", numbers());
    }

    private Map<String, Double> numbers() {
        return Map.of("p50Millis", p50(), "p99Millis", p99(), "perSecond", perSecond(), "operations", (double) count());
    }
}
