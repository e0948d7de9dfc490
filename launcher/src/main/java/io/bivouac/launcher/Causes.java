package io.bivouac.launcher;

import org.slf4j.LoggerFactory;

/** What really went wrong, without the frameworks around it. */
final class Causes {
    private Causes() {}

    /** The first line of the innermost message; the whole story goes to the log. */
    static String ofFirst(Throwable failed) {
        LoggerFactory.getLogger(Causes.class).error("start failed", failed);
        var cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null
                ? cause.getClass().getSimpleName()
                : cause.getMessage().lines().findFirst().orElse("");
    }
}
