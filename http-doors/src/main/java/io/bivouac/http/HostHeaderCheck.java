package io.bivouac.http;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;

/**
 * Refuses requests for a host that is not ours: a page elsewhere whose name was made to point at this machine
 * (DNS rebinding) could otherwise talk to it.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(FilterOrder.HOST_HEADER)
class HostHeaderCheck {
    private final OwnHosts hosts;

    HostHeaderCheck(OwnHosts hosts) {
        this.hosts = hosts;
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        var header = request.getHeaders().get("Host");
        if (header == null) {
            return;
        }
        var name = OwnHosts.nameIn(header);
        if (!hosts.include(name)) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "This server does not answer for the host '" + name
                            + "'; set BIVOUAC_PUBLIC_URL or BIVOUAC_HOSTS if it should.");
        }
    }
}
