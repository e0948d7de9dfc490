package io.bivouac.webhooks.endpoint;

import io.bivouac.sandboxmodel.Sha256;
import java.net.URI;
import java.util.HexFormat;

/**
 * A URL as it is shown to those who need not know it: its origin, and a hash that tells it from others. Chat services
 * and the like give out URLs that let whoever has them write. No endpoint's own URL has a fragment.
 */
final class ShownUrl {
    private static final int DIGITS = 12;

    private ShownUrl() {}

    static String of(URI url) {
        var hash = HexFormat.of().formatHex(Sha256.of(url.toString())).substring(0, DIGITS);
        return url.getScheme() + "://" + url.getRawAuthority() + "/#sha256=" + hash;
    }
}
