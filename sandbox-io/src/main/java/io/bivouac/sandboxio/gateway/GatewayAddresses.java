package io.bivouac.sandboxio.gateway;

import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.http.OwnHosts;
import io.bivouac.sandboxio.gateway.ResponseHead.Door;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The addresses of ports: which one a request names, and which one a client is told. Programs are told the gateway's
 * address; browsers one whose host is not the console's, since cookies know no ports. Thread-safe.
 */
@Singleton
public class GatewayAddresses {
    /** Where browsers find a gateway on this machine: a loopback address that the console is not at. */
    static final String LOOPBACK_FOR_BROWSERS = "127.0.0.2";

    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost");

    private final GatewaySettings settings;
    private final PublicUrl publicUrl;
    private final OwnHosts hosts;
    private final String previewDomain;
    private volatile int port;
    private volatile boolean tls;
    private volatile boolean apart;

    GatewayAddresses(
            GatewaySettings settings,
            PublicUrl publicUrl,
            OwnHosts hosts,
            @Value("${bivouac.preview-domain:}") String previewDomain) {
        this.settings = settings;
        this.publicUrl = publicUrl;
        this.hosts = hosts;
        this.previewDomain = previewDomain.strip().toLowerCase(Locale.ROOT);
    }

    /** @param apart whether it listens at {@link #LOOPBACK_FOR_BROWSERS} as well */
    void listening(int at, boolean byTls, boolean apart) {
        this.port = at;
        this.tls = byTls;
        this.apart = apart;
    }

    public int port() {
        return port;
    }

    /** The gateway as programs reach it. */
    public String base() {
        return settings.url()
                .orElseGet(() -> scheme() + "://" + publicUrl.host().orElse("127.0.0.1") + ":" + port);
    }

    private String scheme() {
        return tls ? "https" : "http";
    }

    String scheme(Door door) {
        boolean https = door == Door.MAIN
                ? publicUrl.isHttps()
                : settings.url().map(url -> url.startsWith("https:")).orElse(tls);
        return https ? "https" : "http";
    }

    /** Where a program that shows a header finds the port. */
    String url(Target target) {
        return base() + prefix(target) + "/";
    }

    /** Where a browser that has opened a link finds it. */
    String browserUrl(Target target) {
        if (!previewDomain.isEmpty()) {
            var explicit = URI.create(base());
            return explicit.getScheme() + "://" + target.port() + "-" + target.sandbox() + "." + previewDomain
                    + (explicit.getPort() < 0 ? "" : ":" + explicit.getPort()) + "/";
        }
        return browserBase() + prefix(target) + "/";
    }

    private String browserBase() {
        return isApart() ? scheme() + "://" + LOOPBACK_FOR_BROWSERS + ":" + port : base();
    }

    private boolean isApart() {
        return apart
                && settings.url().isEmpty()
                && LOOPBACK.contains(publicUrl.host().orElse("127.0.0.1"));
    }

    private static String prefix(Target target) {
        return Route.START + target.sandbox() + "/port/" + target.port();
    }

    /** @param link the signature that the address came with, which nobody behind this sees */
    record Addressed(Route route, @Nullable String link) {}

    /** The name by which a request's path calls its sandbox; empty when it has a whole id, or its host names the port. */
    Optional<String> nameIn(HttpRequest request, Door door) {
        return isPreview(host(request), door) ? Optional.empty() : Route.nameIn(request.uri());
    }

    private static String host(HttpRequest request) {
        return OwnHosts.nameIn(request.headers().get(HttpHeaderNames.HOST));
    }

    private boolean isPreview(String host, Door door) {
        return door == Door.GATEWAY && !previewDomain.isEmpty() && host.endsWith("." + previewDomain);
    }

    /**
     * What a request leads to; refuses a host that is not ours and an address that names no port.
     *
     * @param named the sandbox that the path calls by a name; null when it has a whole id
     */
    Addressed route(HttpRequest request, Door door, @Nullable SandboxId named) {
        var host = host(request);
        if (isPreview(host, door)) {
            var label = host.substring(0, host.length() - previewDomain.length() - 1);
            return withoutLink(Route.ofLabel(label)
                    .map(target -> Route.byHost(target, request.uri()))
                    .orElseThrow(() -> new BivouacException(
                            ErrorCode.NOT_FOUND,
                            "There is nothing here; ports are at {port}-{id}." + previewDomain + ".")));
        }
        if (!isOurs(host, door)) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "The gateway does not answer for the host '" + host
                            + "'; set BIVOUAC_GATEWAY_URL or BIVOUAC_HOSTS if it should.");
        }
        return withoutLink(Route.byPath(request.uri(), named));
    }

    private boolean isOurs(String host, Door door) {
        return hosts.include(host)
                || (door == Door.GATEWAY
                        && (host.equals(LOOPBACK_FOR_BROWSERS)
                                || settings.url()
                                        .map(URI::create)
                                        .map(URI::getHost)
                                        .filter(host::equalsIgnoreCase)
                                        .isPresent()));
    }

    private static Addressed withoutLink(Route route) {
        int query = route.path().indexOf('?');
        if (query < 0 || !route.path().contains(PreviewLinks.PARAMETER + "=")) {
            return new Addressed(route, null);
        }
        String link = null;
        var others = new ArrayList<String>();
        for (var parameter : route.path().substring(query + 1).split("&")) {
            if (parameter.startsWith(PreviewLinks.PARAMETER + "=")) {
                link = parameter.substring(PreviewLinks.PARAMETER.length() + 1);
            } else {
                others.add(parameter);
            }
        }
        var path = route.path().substring(0, query) + (others.isEmpty() ? "" : "?" + String.join("&", others));
        return new Addressed(route.withPath(path), link);
    }

    /** Whether a browser is to be sent to another host than it came to, which the console may be at. */
    boolean isForBrowsers(HttpRequest request) {
        return !isApart() || !LOOPBACK.contains(host(request));
    }

    /** The browser's address of what a route names. */
    String browserUrl(Route route) {
        var url = browserUrl(route.target());
        return url.substring(0, url.length() - 1) + route.path();
    }
}
