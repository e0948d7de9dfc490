package io.bivouac.agentlink;

/** Text from an agent, made fit to be shown and logged. */
final class AgentText {
    private AgentText() {}

    /** At most this many characters, with nothing in them that could move a terminal's cursor or forge a line. */
    static String clean(String text, int longest) {
        var clean = new StringBuilder(Math.min(text.length(), longest));
        for (int i = 0; i < text.length() && clean.length() < longest; ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            clean.appendCodePoint(isPlain(character) ? character : '\uFFFD');
        }
        return clean.toString();
    }

    private static boolean isPlain(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
