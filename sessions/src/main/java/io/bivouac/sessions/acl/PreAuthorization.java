package io.bivouac.sessions.acl;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One thing that a program need not ask a person for ({@code udf:preAuthorize}): an action, a blank, and what it is
 * done with. A star at the end stands for more of the same word or words, never for another command: not for signs that
 * mean something to a shell, and not for a step back in a path.
 */
public record PreAuthorization(String action, String resource, boolean more) {
    /** At the end of what was too long to be told whole: nobody knows what comes after it. */
    private static final String CUT = "…";

    private static final Pattern WRITTEN = Pattern.compile("(\\S{1,256}) (\\S|\\S[^\\p{Cntrl}]{0,1022}\\S)");
    private static final Pattern HARMLESS =
            Pattern.compile("[^\\p{Cntrl};&|<>()$`\\\\'\"*?\\[\\]{}!#~\\u00A0\\u2028\\u2029]*");

    /** Nothing for what does not read so; a star anywhere but at the end would mean less than it seems to. */
    static Optional<PreAuthorization> parse(String written) {
        var matcher = WRITTEN.matcher(written);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var resource = matcher.group(2);
        boolean more = resource.endsWith("*");
        var beginning = more ? resource.substring(0, resource.length() - 1) : resource;
        return beginning.isEmpty()
                        || beginning.contains("*")
                        || matcher.group(1).contains("*")
                ? Optional.empty()
                : Optional.of(new PreAuthorization(matcher.group(1), beginning, more));
    }

    boolean covers(String askedAction, String askedResource) {
        if (!askedAction.equals(action) || askedResource.endsWith(CUT)) {
            return false;
        }
        if (!more) {
            return askedResource.equals(resource);
        }
        return askedResource.startsWith(resource)
                && HARMLESS.matcher(askedResource.substring(resource.length())).matches()
                && !askedResource.contains("..");
    }
}
