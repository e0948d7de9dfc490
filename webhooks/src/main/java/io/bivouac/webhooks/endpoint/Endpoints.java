package io.bivouac.webhooks.endpoint;

import io.bivouac.events.EventType;
import io.bivouac.events.WebhookData;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Decision.Saying;
import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.endpoint.Endpoint.Disabled;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Keeps endpoints. Every write first takes the endpoint's row and with it the count of changes, and only then the
 * audit's chain: in this order nobody waits for somebody who waits for him. Thread-safe.
 */
@Singleton
public class Endpoints {
    private static final int ATTEMPTS = 10;
    private static final String ACTOR = "system";

    private final EndpointRows rows;
    private final EncryptedEndpoints sealed;
    private final Outbox outbox;
    private final Audit audit;
    private final TransactionOperations<Connection> transactions;
    private final WebhookSettings settings;
    private final Clock clock;

    Endpoints(
            EndpointRows rows,
            EncryptedEndpoints sealed,
            Outbox outbox,
            Audit audit,
            TransactionOperations<Connection> transactions,
            WebhookSettings settings,
            Clock clock) {
        this.rows = rows;
        this.sealed = sealed;
        this.outbox = outbox;
        this.audit = audit;
        this.transactions = transactions;
        this.settings = settings;
        this.clock = clock;
    }

    Endpoint add(Endpoint endpoint, Caller caller) {
        return transactions.executeWrite(_ -> {
            rows.lock(endpoint.project());
            if (rows.count(endpoint.project()) >= settings.getEndpointsPerProject()) {
                throw new BivouacException(
                        ErrorCode.WEBHOOK_LIMIT_EXCEEDED,
                        "The project has " + settings.getEndpointsPerProject()
                                + " webhook endpoints, which is its limit; delete one first.");
            }
            rows.save(sealed.row(endpoint));
            audit.append(
                    caller.project(),
                    caller.id(),
                    "webhook.created",
                    endpoint.id(),
                    endpoint.url().toString());
            return endpoint;
        });
    }

    /** One of the caller's own project. */
    public Endpoint get(String id, Caller caller) {
        var row = rows.find(id).orElseThrow(() -> EndpointId.noSuchEndpoint(id));
        caller.mustOwn(row.projectId(), "Webhook endpoint " + id);
        return sealed.endpoint(row);
    }

    Page<Endpoint> list(Caller caller, @Nullable String cursor, int limit) {
        return Page.of(rows.page(caller.project(), cursor, limit + 1), limit, EndpointRow::id)
                .map(sealed::endpoint);
    }

    /** The endpoint as the change makes it; decided anew when somebody else was faster. */
    Endpoint change(String id, Caller caller, String act, UnaryOperator<Endpoint> change) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var before = get(id, caller);
            var after = change.apply(before);
            boolean stored = transactions.executeWrite(_ -> {
                if (!store(before, after)) {
                    return false;
                }
                audit.append(caller.project(), caller.id(), act, id, after.url().toString());
                return true;
            });
            if (stored) {
                return after;
            }
        }
        throw new BivouacException(ErrorCode.CONFLICT, "The endpoint is being changed by others; try again.");
    }

    void delete(String id, Caller caller) {
        transactions.executeWrite(_ -> {
            change(id, caller, "webhook.deleted", endpoint -> endpoint.deleted(now()));
            return rows.cancelWaiting(id, now());
        });
    }

    /**
     * Stops sending to it and says so; nothing happens if it is disabled or deleted already, or has not been failing
     * all the time after all.
     */
    public void disable(Endpoint endpoint, Disabled reason) {
        transactions.executeWrite(_ -> {
            var present = rows.find(endpoint.id())
                    .map(sealed::endpoint)
                    .filter(Endpoint::isEnabled)
                    .filter(now -> reason != Disabled.FAILING
                            || Objects.equals(
                                    now.health().failingSince(),
                                    endpoint.health().failingSince()));
            present.ifPresent(before -> disableNow(before, reason));
            return null;
        });
    }

    private void disableNow(Endpoint before, Disabled reason) {
        var at = now();
        if (!store(before, before.disabled(reason, at).spokenAbout())) {
            return;
        }
        var data = new WebhookData(before.id(), ShownUrl.of(before.url()), EncryptedEndpoints.wireName(reason));
        outbox.say(
                new Outbox.Subject(before.project(), before.id(), before.sequence()),
                List.of(new Saying(EventType.WEBHOOK_DISABLED, data)),
                at);
        audit.append(before.project(), ACTOR, "webhook.disabled", before.id(), EncryptedEndpoints.wireName(reason));
    }

    public void failing(String id) {
        rows.failing(id, now());
    }

    public void working(String id) {
        rows.working(id);
    }

    /** Those that sign no more. */
    public void forgetReplacedSecrets() {
        rows.forgetReplacedSecrets(now());
    }

    private boolean store(Endpoint before, Endpoint after) {
        var row = sealed.row(after);
        return rows.change(
                        row.id(),
                        before.version(),
                        row.url(),
                        row.description(),
                        row.types(),
                        row.enabled(),
                        row.disabledReason(),
                        row.disabledAt(),
                        row.retry(),
                        row.fifo(),
                        row.rateLimit(),
                        row.concurrency(),
                        row.signing(),
                        row.secret(),
                        row.previousSecret(),
                        row.previousUntil(),
                        row.failingSince(),
                        row.sequence(),
                        row.updatedAt(),
                        row.deletedAt())
                > 0;
    }

    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
