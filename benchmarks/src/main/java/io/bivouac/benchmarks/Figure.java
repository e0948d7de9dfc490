package io.bivouac.benchmarks;

import java.util.Locale;
import java.util.Map;

/** Something measured: as a reader sees it, and as numbers for a program. */
record Figure(String text, Map<String, Double> numbers) {
    static final Figure NONE = new Figure("", Map.of());

    static Figure of(String name, double number, String unit) {
        return new Figure(amount(number) + " " + unit, Map.of(name, number));
    }

    static Figure missing(String why) {
        return new Figure(why, Map.of());
    }

    Figure named(String alternative) {
        return new Figure(alternative + ": " + text, numbers);
    }

    /** Three digits that count. */
    static String amount(double number) {
        int decimals = number >= 100 ? 0 : number >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }
}
