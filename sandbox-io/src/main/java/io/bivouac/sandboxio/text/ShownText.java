package io.bivouac.sandboxio.text;

/** Text of a program or a caller, made fit for the person who decides about it or reads of it later. */
public final class ShownText {
    private static final int UNKNOWN = 0xFFFD;
    private static final String NEW_LINE = " ⏎ ";
    private static final String ELLIPSIS = "…";

    private ShownText() {}

    /**
     * At most so many characters. Nothing in it moves a cursor, forges a line, turns the direction of what follows
     * or takes no room: what is like that is shown as an unknown character, and a line's end as a sign.
     */
    public static String of(String text, int longest) {
        var shown = new StringBuilder(Math.min(text.length(), longest));
        int length = 0;
        for (int i = 0; i < text.length(); length++) {
            if (length >= longest) {
                return shown.append(ELLIPSIS).toString();
            }
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            if (character == '\n') {
                shown.append(NEW_LINE);
            } else {
                shown.appendCodePoint(plain(character));
            }
        }
        return shown.toString();
    }

    private static int plain(int character) {
        if (character == '\t') {
            return ' ';
        }
        return switch (Character.getType(character)) {
            case Character.SPACE_SEPARATOR -> ' ';
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> UNKNOWN;
            default -> isInvisible(character) ? UNKNOWN : character;
        };
    }

    /** Letters and signs by their class that show nothing all the same: fillers, the empty Braille pattern, selectors. */
    private static boolean isInvisible(int character) {
        return switch (character) {
            case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x034F -> true;
            default -> (character >= 0xFE00 && character <= 0xFE0F) || (character >= 0xE0100 && character <= 0xE01EF);
        };
    }
}
