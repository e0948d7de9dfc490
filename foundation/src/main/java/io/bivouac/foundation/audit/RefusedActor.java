package io.bivouac.foundation.audit;

import java.net.URI;
import java.util.Arrays;

/**
 * Whoever had something refused, and with whom they share rows.
 *
 * @param name as audit rows have it
 * @param share those of one share have one actor's rows together; mostly the name
 * @param pool those of one pool leave others' rows alone
 */
public record RefusedActor(String name, String share, String pool) {
    private static final RefusedActor NOBODY = new RefusedActor("nobody", "nobody", "nobody");
    private static final int LABELS_OF_A_SITE = 2;

    /** All who did not log in. */
    public static RefusedActor nobody() {
        return NOBODY;
    }

    /** Somebody of a project. */
    public static RefusedActor member(String id, String project) {
        return new RefusedActor(id, id, "project " + project);
    }

    public static RefusedActor sandbox(String id) {
        return new RefusedActor(id, id, "sandboxes");
    }

    /** A WebID that a Pod has let in before. */
    static RefusedActor guest(String webId) {
        return new RefusedActor(webId, webId, "guests");
    }

    /** A WebID of which nobody here knows. Further ones cost nothing, so all of a site have one actor's rows. */
    static RefusedActor stranger(String webId) {
        return new RefusedActor(webId, siteOf(webId), "strangers");
    }

    /** The last two labels of the host's name: subdomains cost nothing either. */
    private static String siteOf(String webId) {
        try {
            var host = URI.create(webId).getHost();
            if (host == null || host.startsWith("[") || Character.isDigit(host.charAt(host.length() - 1))) {
                return String.valueOf(host);
            }
            var labels = host.split("\\.");
            int first = Math.max(0, labels.length - LABELS_OF_A_SITE);
            return String.join(".", Arrays.copyOfRange(labels, first, labels.length));
        } catch (IllegalArgumentException malformed) {
            return "none";
        }
    }
}
