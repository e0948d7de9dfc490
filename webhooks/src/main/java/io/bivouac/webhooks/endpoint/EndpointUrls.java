package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** Which URLs an endpoint may have. The same guard looks again at each connection, when the name may mean another. */
@Singleton
class EndpointUrls {
    private static final int LONGEST = 2048;
    private static final int LARGEST_PORT = 65535;

    private final EndpointNetwork network;

    EndpointUrls(EndpointNetwork network) {
        this.network = network;
    }

    /** @param party on whose account the name is looked up */
    URI check(@Nullable String text, Party party) {
        var url = parse(text);
        boolean encrypted = url.getScheme().equalsIgnoreCase("https");
        var found = addressesOf(url.getHost(), party);
        if (found.addresses().isEmpty() && !encrypted) {
            throw found.later()
                    .orElseGet(() -> forbidden(url.getHost() + " cannot be looked up, so only https may be used"));
        }
        for (var address : found.addresses()) {
            network.dialer().guard().objection(address, encrypted).ifPresent(objection -> {
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

    /**
     * No addresses when the name is not known now: the receiver may not be set up yet.
     *
     * @param later the refusal for whoever needs to know them, when asking again may help
     */
    private record Found(List<InetAddress> addresses, Optional<BivouacException> later) {}

    private Found addressesOf(String host, Party party) {
        try {
            return new Found(network.dialer().lookUp(host, party).join(), Optional.empty());
        } catch (CompletionException failed) {
            return new Found(List.of(), later(host, failed.getCause()));
        }
    }

    private static Optional<BivouacException> later(String host, Throwable failure) {
        return switch (failure) {
            case ShareTaken full -> Optional.of(unavailable(host, full.getMessage()));
            case TimeoutException _ -> Optional.of(unavailable(host, "The name server did not answer in time."));
            case null, default -> Optional.empty();
        };
    }

    private static BivouacException unavailable(String host, String why) {
        return new BivouacException(
                ErrorCode.UNAVAILABLE, "url: " + host + " cannot be looked up right now; try again. " + why);
    }

    private static BivouacException forbidden(String objection) {
        return new BivouacException(
                ErrorCode.WEBHOOK_ADDRESS_FORBIDDEN,
                "Webhooks may not go there: " + objection + ". Whoever runs the server can allow it with"
                        + " BIVOUAC_WEBHOOK_ALLOW; bivouac listen brings events to a program on your own machine.");
    }

    private static BivouacException refused(String detail) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, detail);
    }
}
