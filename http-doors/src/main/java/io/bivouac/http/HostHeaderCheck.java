package io.bivouac.http;

import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses requests for a host that is not ours: a page elsewhere whose name was made to point at this machine
 * (DNS rebinding) could otherwise talk to it. Names: loopback, the bound address, the public URL, and a list.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(FilterOrder.HOST_HEADER)
class HostHeaderCheck {
    private final Set<String> ours = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private final boolean any;

    HostHeaderCheck(
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

    @RequestFilter
    void check(HttpRequest<?> request) {
        var header = request.getHeaders().get("Host");
        if (header == null) {
            return;
        }
        var name = header.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
        if (!ours.contains(name) && !(any && isAddress(name))) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "This server does not answer for the host '" + name
                            + "'; set BIVOUAC_PUBLIC_URL or BIVOUAC_HOSTS if it should.");
        }
    }

    private static boolean isAddress(String name) {
        return name.matches("\\d+\\.\\d+\\.\\d+\\.\\d+") || (name.startsWith("[") && name.endsWith("]"));
    }
}
