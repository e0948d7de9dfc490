package io.bivouac.webhooks.endpoint;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;

/** Which URLs an endpoint may have. The same guard looks again at each connection, when the name may mean another. */
@Singleton
class EndpointUrls {
    private static final int LONGEST = 2048;
    private static final int LARGEST_PORT = 65535;

    private final EndpointNetwork network;

    EndpointUrls(EndpointNetwork network) {
        this.network = network;
    }

    URI check(@Nullable String text) {
        var url = parse(text);
        boolean encrypted = url.getScheme().equalsIgnoreCase("https");
        var addresses = addressesOf(url.getHost());
        if (addresses.isEmpty() && !encrypted) {
            throw forbidden(url.getHost() + " cannot be looked up, so only https may be used");
        }
        for (var address : addresses) {
            network.guard().objection(address, encrypted).ifPresent(objection -> {
                throw forbidden(objection);
            });
        }
        return url;
    }

    private static URI parse(@Nullable String text) {
        if (text == null || text.isBlank() || text.length() > LONGEST) {
            throw refused("url must have 1 to " + LONGEST + " characters.");
        }
        URI url;
        try {
            url = new URI(text).parseServerAuthority();
        } catch (URISyntaxException malformed) {
            throw refused("url is not a URL: " + malformed.getReason() + ".");
        }
        var scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!(scheme.equals("https") || scheme.equals("http")) || url.getHost() == null) {
            throw refused("url must look like https://host/path.");
        }
        if (url.getRawUserInfo() != null || url.getRawFragment() != null || url.getPort() > LARGEST_PORT) {
            throw refused("url may have neither a user nor a fragment, and no port above " + LARGEST_PORT + ".");
        }
        return url;
    }

    /** None when the name is not known now: the receiver may not be set up yet. */
    private List<InetAddress> addressesOf(String host) {
        try {
            return network.lookup().addressesOf(host).join();
        } catch (CompletionException unknown) {
            return List.of();
        }
    }

    private static BivouacException forbidden(String objection) {
        return new BivouacException(
                ErrorCode.WEBHOOK_ADDRESS_FORBIDDEN, "Webhooks may not go there: " + objection + ".");
    }

    private static BivouacException refused(String detail) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, detail);
    }
}
