package io.bivouac.sandboxmodel.template;

/**
 * How many sandboxes of a template are started ahead.
 *
 * @param least as many are kept ready in quiet times; zero for none
 * @param most as many as demand may raise it to
 */
public record WarmRange(int least, int most) {
    /** How many times the least, where nothing is said about the most. */
    public static final int USUAL_GROWTH = 4;

    /** More would hold a machine's memory and loop devices for nobody. */
    public static final int LARGEST = 256;

    public static final WarmRange NONE = new WarmRange(0, 0);

    public WarmRange {
        if (least < 0 || least > LARGEST || most > LARGEST) {
            throw new IllegalArgumentException("warm must be between 0 and " + LARGEST);
        }
        if (most < least) {
            throw new IllegalArgumentException("warmMax must be at least warm, which is " + least);
        }
    }

    public static WarmRange from(int least) {
        return new WarmRange(least, Math.max(least, Math.min(LARGEST, least * USUAL_GROWTH)));
    }

    public boolean isNone() {
        return most == 0;
    }
}
