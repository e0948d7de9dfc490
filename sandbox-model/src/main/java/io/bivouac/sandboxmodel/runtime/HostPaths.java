package io.bivouac.sandboxmodel.runtime;

import java.util.regex.Pattern;

/** Takes the places of this host's files out of texts that users see; a file's own name stays. */
public final class HostPaths {
    private static final Pattern PATH = Pattern.compile("(?<![\\w./…])/(?:[^\\s/:;,'\"()<>]+/)+([^\\s/:;,'\"()<>]+)");

    /** What every Linux has at the same place, and what a sandbox sees itself: they tell nothing about this host. */
    private static final Pattern EVERYWHERE =
            Pattern.compile("/(?:workspace|home/sandbox|dev|proc|sys|usr|bin|sbin|etc|run/bivouac|\\.bivouac)/.*");

    private HostPaths() {}

    public static String hiddenIn(String text) {
        return PATH.matcher(text)
                .replaceAll(found -> EVERYWHERE.matcher(found.group()).matches()
                        ? java.util.regex.Matcher.quoteReplacement(found.group())
                        : java.util.regex.Matcher.quoteReplacement(found.group(1)));
    }
}
