package io.bivouac.identity.turtle;

/**
 * How deep the brackets of a Turtle text are nested. The parser descends once for each of them, so that a text of a
 * few kilobytes could use up a thread's stack. Brackets in strings, addresses and comments do not count.
 */
final class Nesting {
    /** Lists and blank nodes in each other, far beyond what profiles and ACLs have. */
    static final int DEEPEST = 64;

    private final byte[] text;
    private int at;
    private int depth;

    private Nesting(byte[] text) {
        this.text = text;
    }

    static boolean isTooDeep(byte[] text) {
        return new Nesting(text).passesBound();
    }

    private boolean passesBound() {
        while (at < text.length) {
            switch (text[at]) {
                case '(', '[' -> depth++;
                case ')', ']' -> depth = Math.max(0, depth - 1);
                case '#' -> skipTo('\n');
                case '<' -> skipTo('>');
                case '"', '\'' -> skipString(text[at]);
                // Escapes the next character of a name.
                case '\\' -> at++;
                default -> {}
            }
            if (depth > DEEPEST) {
                return true;
            }
            at++;
        }
        return false;
    }

    private void skipTo(char end) {
        while (at < text.length && text[at] != end) {
            at++;
        }
    }

    private void skipString(byte quote) {
        boolean isLong = isTripled(quote);
        for (at += isLong ? 3 : 1; at < text.length; at++) {
            if (text[at] == '\\') {
                at++;
            } else if (text[at] == quote && (!isLong || isTripled(quote))) {
                at += isLong ? 2 : 0;
                return;
            }
        }
    }

    private boolean isTripled(byte quote) {
        return at + 2 < text.length && text[at + 1] == quote && text[at + 2] == quote;
    }
}
