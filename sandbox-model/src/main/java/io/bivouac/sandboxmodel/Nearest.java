package io.bivouac.sandboxmodel;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that somebody most likely meant. */
public final class Nearest {
    private static final int LONGEST = 100;
    private static final int FEWEST_IN_COMMON = 3;

    private Nearest() {}

    /** Empty when no candidate is near: at most a third of the word differs, or one begins with the other. */
    public static Optional<String> to(String word, Collection<String> candidates) {
        if (word.isEmpty() || word.length() > LONGEST) {
            return Optional.empty();
        }
        return candidates.stream()
                .filter(candidate -> !candidate.equals(word) && isNear(word, candidate))
                .min(Comparator.<String>comparingInt(candidate -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The candidate that differs by one or two characters. */
    public static Optional<String> slip(String word, Collection<String> candidates) {
        return to(word, candidates).filter(candidate -> distance(word, candidate) <= 2);
    }

    private static boolean isNear(String word, String candidate) {
        if (candidate.length() > LONGEST) {
            return false;
        }
        boolean begins = Math.min(word.length(), candidate.length()) >= FEWEST_IN_COMMON
                && (small(candidate).startsWith(small(word)) || small(word).startsWith(small(candidate)));
        return begins || distance(word, candidate) <= Math.max(1, word.length() / 3);
    }

    private static String small(String word) {
        return word.toLowerCase(Locale.ROOT);
    }

    /** Characters to add, drop, replace or swap with their neighbour; small and capital letters are the same. */
    static int distance(String from, String to) {
        var a = small(from);
        var b = small(to);
        var rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : cheapest(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int cheapest(int[][] rows, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int cost = Math.min(rows[i - 1][j - 1] + (same ? 0 : 1), Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(cost, rows[i - 2][j - 2] + 1) : cost;
    }
}
