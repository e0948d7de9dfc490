package io.bivouac.foundation.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Makes, checks and revokes keys. Thread-safe. */
@Singleton
public class ApiKeys {
    private static final int REMEMBERED = 10_000;

    /** The longest that a revoked key can still work, if the notice of its end was lost. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(30);

    private static final Duration TOUCH_EVERY = Duration.ofMinutes(1);

    private final AccessRows rows;
    private final Audit audit;
    private final TransactionOperations<Connection> transactions;
    private final Clock clock;
    private final Cache<ByteBuffer, ApiKey> known = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(REMEMBERED_FOR)
            .build();
    private final Cache<String, Instant> touched = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(TOUCH_EVERY)
            .build();

    ApiKeys(
            AccessRows rows,
            Audit audit,
            TransactionOperations<Connection> transactions,
            Clock clock,
            ChangeFeed feed) {
        this.rows = rows;
        this.audit = audit;
        this.transactions = transactions;
        this.clock = clock;
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (id.startsWith(ApiKey.PREFIX)) {
                    known.asMap().values().removeIf(key -> key.id().equals(id));
                }
            }

            @Override
            public void reconnected() {
                known.invalidateAll();
            }
        });
    }

    /** A key and its text, which is shown this once. */
    public record Made(ApiKey key, KeyText text) {}

    public Made make(Caller caller, String name, Role role, boolean system) {
        if (system) {
            caller.mustBeSystem();
        }
        var text = KeyText.next();
        var key = transactions.executeWrite(_ -> {
            var made = store(caller.project(), name, text, role, system);
            audit.append(caller.project(), caller.id(), "key.created", made.id(), "role " + role.wireName());
            return made;
        });
        return new Made(key, text);
    }

    /** Stores a key for a text that exists already; used at the first start and for a new project's first key. */
    ApiKey store(String project, String name, KeyText text, Role role, boolean system) {
        return rows.save(new ApiKey(
                SortableId.next(ApiKey.PREFIX),
                project,
                name,
                text.prefix(),
                text.hash(),
                role.wireName(),
                system,
                clock.instant(),
                null,
                null));
    }

    boolean isKnown(KeyText text) {
        return rows.findByHash(text.hash()).isPresent();
    }

    /** The same as {@link #authenticate}, when that can be said without asking the database. */
    public Optional<Caller> remembered(KeyText text) {
        var key = known.getIfPresent(ByteBuffer.wrap(text.hash()));
        return key == null || key.revokedAt() != null || !touched.asMap().containsKey(key.id())
                ? Optional.empty()
                : Optional.of(key.asCaller());
    }

    /** Who this text stands for, if it is a key that still works. */
    public Optional<Caller> authenticate(KeyText text) {
        var hash = text.hash();
        var key = known.get(ByteBuffer.wrap(hash), _ -> rows.findByHash(hash).orElse(null));
        if (key == null || key.revokedAt() != null) {
            return Optional.empty();
        }
        var now = clock.instant();
        if (touched.asMap().putIfAbsent(key.id(), now) == null) {
            rows.touch(key.id(), now);
        }
        return Optional.of(key.asCaller());
    }

    /** Who a key's id stands for, if that key still works; for those who showed its text before. */
    public Optional<Caller> holder(String id) {
        return rows.findById(id).filter(key -> key.revokedAt() == null).map(ApiKey::asCaller);
    }

    public Page<ApiKey> list(Caller caller, @Nullable String cursor, int limit) {
        return Page.of(rows.page(caller.project(), cursor, limit + 1), limit, ApiKey::id);
    }

    public void revoke(Caller caller, String id) {
        var key = rows.findById(id)
                .orElseThrow(() -> new BivouacException(ErrorCode.NOT_FOUND, "There is no key " + id + "."));
        caller.mustOwn(key.projectId(), "Key " + id);
        if (key.system()) {
            caller.mustBeSystem();
        }
        transactions.executeWrite(_ -> {
            if (key.system() && rows.otherSystemKeys(id) == 0) {
                throw new BivouacException(
                        ErrorCode.CONFLICT, "This is the last system administrator's key; make another one first.");
            }
            if (rows.revoke(id, clock.instant()) > 0) {
                audit.append(caller.project(), caller.id(), "key.revoked", id, key.name());
                rows.tell(id);
            }
            return null;
        });
        known.asMap().values().removeIf(cached -> cached.id().equals(id));
    }
}
