package io.bivouac.webhooks.sending;

import java.net.URI;
import java.util.Locale;

/** A URL in the pieces that a request needs. */
record Target(boolean encrypted, String host, int port, String hostHeader, String path) {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    /** Whom the certificate must name: of an IPv6 address, the address without its brackets. */
    String certifiedName() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    static Target of(URI url) {
        boolean encrypted = url.getScheme().toLowerCase(Locale.ROOT).equals("https");
        int usual = encrypted ? HTTPS : HTTP;
        int port = url.getPort() < 0 ? usual : url.getPort();
        var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return new Target(
                encrypted,
                url.getHost(),
                port,
                port == usual ? url.getHost() : url.getHost() + ":" + port,
                url.getRawQuery() == null ? path : path + "?" + url.getRawQuery());
    }
}
