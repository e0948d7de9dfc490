package io.bivouac.identity.fetch;

import io.bivouac.foundation.network.GuardedDialer.Destination;
import io.micronaut.core.annotation.Nullable;
import java.net.URI;
import java.util.Map;

/**
 * One request.
 *
 * @param headers beside those that every request has
 * @param body sent as a form when there is one
 */
record Ask(String method, URI url, Map<String, String> headers, byte @Nullable [] body) {
    private static final int LONGEST_URL = 2048;

    boolean encrypted() {
        return "https".equalsIgnoreCase(url.getScheme());
    }

    int port() {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return encrypted() ? 443 : 80;
    }

    /** The host without the brackets of an IPv6 literal. */
    String host() {
        var host = url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    Destination destination() {
        return new Destination(host(), port(), encrypted());
    }

    String hostHeader() {
        return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
    }

    String target() {
        var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    /** Refuses what is no address on the web, or hides something in it. */
    static void check(URI url) throws FetchFailed {
        boolean web = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
        if (!web || url.getHost() == null || url.getHost().isEmpty()) {
            throw FetchFailed.forGood("this is no address on the web");
        }
        if (url.getRawUserInfo() != null || url.toString().length() > LONGEST_URL) {
            throw FetchFailed.forGood("the address is too long or carries a login");
        }
    }
}
