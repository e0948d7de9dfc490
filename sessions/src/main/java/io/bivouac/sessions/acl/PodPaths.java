package io.bivouac.sessions.acl;

import java.net.URI;
import java.util.Optional;

/**
 * How a Pod's resources are named: by address on the web, and by path from the Pod's root, as a session sees them.
 *
 * @param base the Pod's own address, with a slash at the end
 */
public record PodPaths(String base) {
    private static final int LONGEST = 1024;

    public PodPaths {
        var parsed = URI.create(base);
        if (parsed.getHost() == null || !base.endsWith("/") || parsed.getRawQuery() != null) {
            throw new IllegalArgumentException(base + " is no Pod's address: it must end with a slash");
        }
    }

    /**
     * A path from the Pod's root, of what an ACL wrote: a whole address, a path on the server ({@code /alice/notes/}
     * for the Pod at {@code /alice/}), or a path in the Pod. Nothing for what is outside of the Pod.
     */
    public Optional<String> fromAcl(String written) {
        var root = URI.create(base).getRawPath();
        if (written.contains("://")) {
            return written.startsWith(base) ? clean("/" + written.substring(base.length())) : Optional.empty();
        }
        if (!written.startsWith("/")) {
            return Optional.empty();
        }
        return clean(written.startsWith(root) ? "/" + written.substring(root.length()) : written);
    }

    /** A path from the Pod's root that means what it says: no step back, nothing hidden. */
    public static Optional<String> clean(String path) {
        if (!path.startsWith("/") || path.length() > LONGEST || !path.matches("[^\\p{Cntrl}\\\\%?#]*")) {
            return Optional.empty();
        }
        for (var step : path.substring(1).split("/", -1)) {
            if (step.equals(".") || step.equals("..")) {
                return Optional.empty();
            }
        }
        return path.contains("//") ? Optional.empty() : Optional.of(path);
    }

    /** The address of what a clean path names. */
    public String address(String path) {
        try {
            return base + new URI(null, null, path, null).getRawPath().substring(1);
        } catch (java.net.URISyntaxException malformed) {
            throw new IllegalArgumentException(path + " cannot be part of an address", malformed);
        }
    }

    public static String asFolder(String path) {
        return path.endsWith("/") ? path : path + "/";
    }
}
