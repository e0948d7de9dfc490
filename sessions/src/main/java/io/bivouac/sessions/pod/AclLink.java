package io.bivouac.sessions.pod;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The place of a resource's ACL, as its Link headers tell it (RFC 8288). */
final class AclLink {
    private static final Pattern LINK = Pattern.compile("<([^>]*)>((?:[^,<\"]|\"[^\"]*\")*)");
    private static final Pattern RELATION = Pattern.compile("(?i);\\s*rel\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;,\"]+))");

    private AclLink() {}

    static Optional<URI> in(List<String> headers) {
        for (var header : headers) {
            var link = LINK.matcher(header);
            while (link.find()) {
                if (isAcl(link.group(2))) {
                    return address(link.group(1));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isAcl(String parameters) {
        var relation = RELATION.matcher(parameters);
        if (!relation.find()) {
            return false;
        }
        var kinds = relation.group(1) == null ? relation.group(2) : relation.group(1);
        return Arrays.stream(kinds.split("\\s+")).anyMatch("acl"::equalsIgnoreCase);
    }

    private static Optional<URI> address(String written) {
        try {
            return Optional.of(new URI(written.strip()));
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
    }
}
