package io.bivouac.sandboxio.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxNames;
import io.bivouac.sandboxmodel.SandboxState;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What the gateway must know of a sandbox at each request, without asking the database each time. Thread-safe. */
@Singleton
class KnownSandboxes {
    private static final int REMEMBERED = 10_000;

    /** The longest that an ended token can still work, if the notice of its end was lost. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(30);

    /** @param generation of its access token */
    record Known(SandboxId id, String project, SandboxState state, int generation) {}

    private final SandboxStore store;
    private final AccessTokens tokens;
    private final SandboxNames names;
    private final PauseSandboxes pauses;
    private final AtomicLong changes = new AtomicLong();
    private final Cache<SandboxId, Known> known = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(REMEMBERED_FOR)
            .build();

    KnownSandboxes(
            SandboxStore store, AccessTokens tokens, SandboxNames names, PauseSandboxes pauses, ChangeFeed feed) {
        this.pauses = pauses;
        this.store = store;
        this.tokens = tokens;
        this.names = names;
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (id.startsWith(SandboxId.PREFIX)) {
                    changes.incrementAndGet();
                    known.invalidate(new SandboxId(id));
                }
            }

            @Override
            public void reconnected() {
                changes.incrementAndGet();
                known.invalidateAll();
            }
        });
    }

    /** Null when only the database can tell. */
    @Nullable Known remembered(SandboxId id) {
        return known.getIfPresent(id);
    }

    /** The sandbox of a project that people call so; refuses a name that several have, or none. */
    SandboxId named(String project, String name) {
        return names.find(project, name);
    }

    /** A paused sandbox goes on, if it was made so, and is refused otherwise. It may take a moment. */
    void wake(SandboxId id, @Nullable Caller caller) {
        store.find(id).ifPresent(found -> pauses.awake(found, caller));
        known.invalidate(id);
    }

    /** Refuses a sandbox that is not there. */
    Known find(SandboxId id) {
        long before = changes.get();
        var sandbox = store.find(id)
                .filter(found -> found.state() != SandboxState.DELETED)
                .orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
        var found = new Known(id, sandbox.project(), sandbox.state(), tokens.generation(id));
        known.put(id, found);
        if (changes.get() != before) {
            // It may have changed while it was read.
            known.invalidate(id);
        }
        return found;
    }
}
