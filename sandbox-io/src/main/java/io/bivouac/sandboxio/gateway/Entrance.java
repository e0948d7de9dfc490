package io.bivouac.sandboxio.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.BearerTokens;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.KeyText;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxio.gateway.KnownSandboxes.Known;
import io.bivouac.sandboxio.gateway.PreviewLinks.Kind;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides who may reach a port: the sandbox's own access token, a key of its project with the role developer, or a
 * signed link. A viewer's key may not, since a request of any method can change things inside. Thread-safe.
 */
@Singleton
class Entrance {
    private static final int LONGEST_KEY = 512;
    private static final int STRANGERS = 1_000;
    private static final Duration STRANGERS_FOR = Duration.ofSeconds(30);

    private final KnownSandboxes sandboxes;
    private final SandboxTokens tokens;
    private final PreviewLinks links;
    private final ApiKeys keys;
    private final List<BearerTokens> bearers;
    private final Cache<String, Boolean> strangers = Caffeine.newBuilder()
            .maximumSize(STRANGERS)
            .expireAfterWrite(STRANGERS_FOR)
            .build();

    Entrance(
            KnownSandboxes sandboxes,
            SandboxTokens tokens,
            PreviewLinks links,
            ApiKeys keys,
            List<BearerTokens> bearers) {
        this.sandboxes = sandboxes;
        this.tokens = tokens;
        this.links = links;
        this.keys = keys;
        this.bearers = bearers;
    }

    /**
     * Leave to pass.
     *
     * @param linkUntil set when it was given for a link's signature, which a cookie is then to take the place of
     * @param ownAuthorization whether the Authorization header is the sandbox's business and not ours
     */
    record Admitted(@Nullable Instant linkUntil, boolean ownAuthorization, int generation) {}

    /** The decision, when it can be made without waiting; a refusal is thrown. */
    Optional<Admitted> remembered(Credentials shown, Target target) {
        if (shown.none()) {
            throw unauthorized("Send the sandbox's token as 'X-Access-Token', or an API key.");
        }
        var sandbox = sandboxes.remembered(target.sandbox());
        // One that is paused may have to be resumed, which is not done while nobody may wait.
        if (sandbox == null || sandbox.state() == SandboxState.PAUSED) {
            return Optional.empty();
        }
        if (shown.accessToken() != null || shown.key() == null) {
            boolean known = !shown.byAuthorization() || strangers.getIfPresent(shown.key()) != null;
            return known ? Optional.of(decide(shown, target, sandbox, null)) : Optional.empty();
        }
        var caller = shown.key().length() > LONGEST_KEY
                ? Optional.<Caller>empty()
                : keys.remembered(new KeyText(shown.key()));
        return caller.map(found -> decide(shown, target, sandbox, found));
    }

    /** The decision, for which the database may be asked; a refusal is thrown. */
    Admitted find(Credentials shown, Target target) {
        var byOther = shown.accessToken() != null || shown.key() == null;
        var caller = byOther ? null : caller(shown.key());
        if (byOther && shown.byAuthorization() && key(shown.key()).isEmpty()) {
            strangers.put(shown.key(), true);
        }
        return decide(shown, target, sandboxes.find(target.sandbox()), caller);
    }

    /** The sandbox that a path calls by a name, which is one of the key's project; the database is asked. */
    SandboxId named(Credentials shown, String name) {
        if (shown.key() == null) {
            throw unauthorized("Only an API key finds a sandbox by its name '" + name
                    + "'; with a sandbox's token or a link, the path has the whole id.");
        }
        return sandboxes.named(caller(shown.key()).project(), name);
    }

    private Admitted decide(Credentials shown, Target target, Known sandbox, @Nullable Caller caller) {
        Instant linkUntil = null;
        if (shown.accessToken() != null) {
            if (!tokens.isAccessToken(sandbox.id(), sandbox.generation(), shown.accessToken())) {
                throw unauthorized("This is not the access token of sandbox " + sandbox.id() + ", or no longer.");
            }
        } else if (caller != null) {
            caller.mustOwn(sandbox.project(), "Sandbox " + sandbox.id());
            caller.mustBe(Role.DEVELOPER);
        } else if (shown.link() != null) {
            linkUntil = links.check(Kind.LINK, target, sandbox.generation(), shown.link())
                    .orElseThrow(() -> unauthorized("This link is not for here, or its time is over."));
        } else if (links.check(Kind.COOKIE, target, sandbox.generation(), shown.cookie())
                .isEmpty()) {
            throw unauthorized("The link that was opened here is over; open a new one.");
        }
        if (sandbox.state() == SandboxState.PAUSED) {
            sandboxes.wake(sandbox.id(), caller);
        } else if (sandbox.state() != SandboxState.RUNNING) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_NOT_RUNNING,
                    "Sandbox " + sandbox.id() + " is " + sandbox.state().wireName()
                            + "; its ports are reached while it runs.");
        }
        boolean ownAuthorization =
                caller == null && (!shown.byAuthorization() || strangers.getIfPresent(shown.key()) != null);
        return new Admitted(linkUntil, ownAuthorization, sandbox.generation());
    }

    private Caller caller(String text) {
        return key(text).orElseThrow(() -> unauthorized("This key is not known or was revoked."));
    }

    private Optional<Caller> key(String text) {
        if (text.length() <= LONGEST_KEY) {
            var caller = keys.authenticate(new KeyText(text));
            if (caller.isPresent()) {
                return caller;
            }
        }
        return bearers.stream()
                .flatMap(kind -> {
                    try {
                        return kind.authenticate(text).stream();
                    } catch (BivouacException ofAnotherIssuer) {
                        return Optional.<Caller>empty().stream();
                    }
                })
                .findFirst();
    }

    private static BivouacException unauthorized(String detail) {
        return new BivouacException(ErrorCode.UNAUTHORIZED, detail);
    }
}
