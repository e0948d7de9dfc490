package io.bivouac.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.foundation.access.BoundToken;
import io.bivouac.foundation.access.BoundTokens;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Login;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxmodel.error.BivouacException;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Takes Solid-OIDC tokens, each with its proof of possession. Thread-safe. */
@Singleton
class SolidTokens implements BoundTokens {
    private static final int REMEMBERED = 10_000;

    private final Profiles profiles;
    private final Issuers issuers;
    private final UsedProofs used;
    private final GuestProject project;
    private final RefusedLogins refused;
    private final SolidSettings settings;
    private final Clock clock;
    private final Cache<String, SolidToken> held;

    SolidTokens(
            Profiles profiles,
            Issuers issuers,
            UsedProofs used,
            GuestProject project,
            RefusedLogins refused,
            SolidSettings settings,
            Clock clock) {
        this.profiles = profiles;
        this.issuers = issuers;
        this.used = used;
        this.project = project;
        this.refused = refused;
        this.settings = settings;
        this.clock = clock;
        this.held = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterWrite(settings.getProfilesKept())
                .build();
    }

    @Override
    public Caller authenticate(BoundToken presented) {
        try {
            return admitted(presented);
        } catch (BivouacException refusal) {
            refused.note(presented, refusal);
            throw refusal;
        }
    }

    private Caller admitted(BoundToken presented) {
        var checked = PresentedToken.check(presented, clock.instant(), settings.isRequireAth());
        var token = checked.token();
        var hash = DpopProof.hash(presented.token());
        if (held.getIfPresent(hash) == null) {
            token.mustHold(profiles, issuers);
            held.put(hash, token);
        }
        used.use(checked.proof());
        var visitor = token.visitor();
        return new Caller(
                visitor.webId(), project.id(), Role.GUEST, false, Login.byToken(visitor, token.acceptedUntil()));
    }
}
