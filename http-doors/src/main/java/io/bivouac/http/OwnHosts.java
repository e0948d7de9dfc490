package io.bivouac.http;

import io.bivouac.foundation.settings.PublicUrl;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The host names that this server answers for: loopback, the bound address, the public URL, and a list. Immutable. */
@Singleton
public class OwnHosts {
    private final Set<String> ours = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private final boolean any;

    OwnHosts(
            @Value("${micronaut.server.host:127.0.0.1}") String bound,
            PublicUrl publicUrl,
            @Value("${bivouac.hosts:}") List<String> more) {
        ours.add(bound.toLowerCase(Locale.ROOT));
        ours.add("[" + bound.toLowerCase(Locale.ROOT) + "]");
        publicUrl.host().ifPresent(host -> ours.add(host.toLowerCase(Locale.ROOT)));
        more.forEach(name -> ours.add(name.toLowerCase(Locale.ROOT)));
        // Bound to every address, any of them is ours, and so is a literal address in general: names are not.
        any = bound.equals("0.0.0.0") || bound.equals("::");
    }

    /** The name in a Host header, without its port and in lower case. */
    public static String nameIn(String header) {
        return header.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    }

    public boolean include(String name) {
        return ours.contains(name) || (any && isAddress(name));
    }

    private static boolean isAddress(String name) {
        return name.matches("\\d+\\.\\d+\\.\\d+\\.\\d+") || (name.startsWith("[") && name.endsWith("]"));
    }
}
