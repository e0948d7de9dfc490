package io.bivouac.sandboxio.gateway;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a request leads.
 *
 * @param prefix the part of the path that is ours, without a slash at its end; empty where the host names the target
 * @param path what the program in the sandbox is asked for: path and query, as they came
 */
record Route(Target target, String prefix, String path) {
    static final String START = "/sandbox/";

    private static final Pattern PATH = Pattern.compile("(/sandbox/([^/?#]+)/port/(\\d{1,5}))(?:(/.*)|(\\?.*))?");
    private static final Pattern HOST = Pattern.compile("(\\d{1,5})-(sbx-[a-z0-9]+)");
    private static final Pattern SEPARATOR = Pattern.compile("/|\\\\|%2f|%5c");

    /**
     * What a request for this address at the gateway's own host leads to.
     *
     * @param named the sandbox that the path calls by a name or the beginning of an id; null when it has a whole id
     */
    static Route byPath(String uri, @Nullable SandboxId named) {
        mustBeOrigin(uri);
        var parts = PATH.matcher(uri);
        if (!parts.matches()) {
            throw new BivouacException(
                    ErrorCode.NOT_FOUND, "There is nothing here; ports are at /sandbox/{id}/port/{port}/.");
        }
        var rest = parts.group(4) == null ? "/" + (parts.group(5) == null ? "" : parts.group(5)) : parts.group(4);
        mustNotStepBack(parts.group(2) + rest);
        var sandbox = named == null ? SandboxId.parse(parts.group(2)) : named;
        return new Route(new Target(sandbox, port(parts.group(3))), parts.group(1), rest);
    }

    /** The text in a sandbox's place that is no whole id, such as a name; empty where the path has an id or no sandbox. */
    static Optional<String> nameIn(String uri) {
        var parts = PATH.matcher(uri);
        if (!parts.matches() || SandboxId.isOne(parts.group(2))) {
            return Optional.empty();
        }
        try {
            return Optional.of(URLDecoder.decode(parts.group(2).replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "The sandbox's name in the path is not encoded as UTF-8 with %.");
        }
    }

    /** What the first label of a preview host names; empty when it names no port of a sandbox. */
    static Optional<Target> ofLabel(String label) {
        var parts = HOST.matcher(label);
        if (!parts.matches() || !SortableId.matches(SandboxId.PREFIX, parts.group(2))) {
            return Optional.empty();
        }
        return Optional.of(new Target(new SandboxId(parts.group(2)), port(parts.group(1))));
    }

    /** The same at a host of the target's own. */
    static Route byHost(Target target, String uri) {
        mustBeOrigin(uri);
        mustNotStepBack(uri);
        return new Route(target, "", uri);
    }

    Route withPath(String other) {
        return new Route(target, prefix, other);
    }

    private static int port(String digits) {
        int port = Integer.parseInt(digits);
        if (port < 1 || port > Target.LARGEST_PORT) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "The port must be between 1 and " + Target.LARGEST_PORT + ".");
        }
        return port;
    }

    /** RFC 9112 §3.2: the absolute form is for proxies, and would name a second host beside the Host header. */
    private static void mustBeOrigin(String uri) {
        if (!uri.startsWith("/")) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "The request's target must be a path.");
        }
        if (uri.indexOf('#') >= 0) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "The request's target has a fragment.");
        }
    }

    /** Some server on the way may take such a path for another sandbox's; no browser sends one. */
    private static void mustNotStepBack(String rest) {
        int query = rest.indexOf('?');
        var path = (query < 0 ? rest : rest.substring(0, query)).toLowerCase(Locale.ROOT);
        if (Arrays.stream(SEPARATOR.split(path))
                .anyMatch(step -> step.replace("%2e", ".").equals(".."))) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "The path must not have '..' in it.");
        }
    }
}
