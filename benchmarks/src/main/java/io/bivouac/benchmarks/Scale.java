package io.bivouac.benchmarks;

/** How much is measured: all, or a fifth of it for a quick look. */
record Scale(boolean quick) {
    private static final int QUICK_PART = 5;

    int of(int full) {
        return quick ? Math.max(1, full / QUICK_PART) : full;
    }
}
