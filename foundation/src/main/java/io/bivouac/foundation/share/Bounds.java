package io.bivouac.foundation.share;

/** How many places there are in all, and how many of them one project and one caller may have. */
public record Bounds(int total, int perProject, int perCaller) {
    /** A share is never more than the whole: whoever lowers the total need not lower the shares too. */
    public Bounds {
        if (total < 1 || perProject < 1 || perCaller < 1) {
            throw new IllegalArgumentException("a bound of places must be at least 1");
        }
        perProject = Math.min(perProject, total);
        perCaller = Math.min(perCaller, perProject);
    }
}
