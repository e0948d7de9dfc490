package io.bivouac.sandboxio.gateway;

import io.bivouac.sandboxes.token.SandboxTokens;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Signed leaves to use one port of one sandbox until some time: in a link, and in the cookie that a browser gets for
 * it. They end with their time, or with the sandbox's access token. Nothing is stored. Thread-safe.
 */
@Singleton
class PreviewLinks {
    /** The name of the signature in a link's query. */
    static final String PARAMETER = "bivouac_link";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,12})\\.([A-Za-z0-9_-]{43})");

    /** What a leave is given in; one never passes for the other. */
    enum Kind {
        LINK,
        COOKIE
    }

    private final SandboxTokens tokens;
    private final Clock clock;

    PreviewLinks(SandboxTokens tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    String make(Kind kind, Target target, int generation, Instant until) {
        return until.getEpochSecond() + "."
                + tokens.previewSignature(claim(kind, target, generation, until.getEpochSecond()));
    }

    /** Until when the text is good; empty when it never was, or no longer is. */
    Optional<Instant> check(Kind kind, Target target, int generation, @Nullable String text) {
        var parts = TEXT.matcher(text == null ? "" : text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long until = Long.parseLong(parts.group(1));
        if (!tokens.isPreviewSignature(claim(kind, target, generation, until), parts.group(2))) {
            return Optional.empty();
        }
        return Optional.of(Instant.ofEpochSecond(until)).filter(end -> end.isAfter(clock.instant()));
    }

    private static String claim(Kind kind, Target target, int generation, long until) {
        return kind + "/" + target.sandbox() + "/" + target.port() + "/" + generation + "/" + until;
    }
}
