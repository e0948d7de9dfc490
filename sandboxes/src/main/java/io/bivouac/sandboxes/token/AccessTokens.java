package io.bivouac.sandboxes.token;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;

/** The access tokens of sandboxes: one for each at any time. A new one ends the one before. Thread-safe. */
@Singleton
public class AccessTokens {
    private final AccessTokenRows rows;
    private final SandboxTokens tokens;
    private final Audit audit;
    private final TransactionOperations<Connection> transactions;

    AccessTokens(
            AccessTokenRows rows, SandboxTokens tokens, Audit audit, TransactionOperations<Connection> transactions) {
        this.rows = rows;
        this.tokens = tokens;
        this.audit = audit;
        this.transactions = transactions;
    }

    /** How often the sandbox was given a new one. */
    public int generation(SandboxId id) {
        return rows.find(id.value()).map(AccessTokenRows.Row::generation).orElse(0);
    }

    public String current(SandboxId id) {
        return tokens.accessToken(id, generation(id));
    }

    /** A new token; the one before opens nothing any more, and neither do the links that were made meanwhile. */
    public String renew(SandboxId id, Caller caller) {
        return transactions.executeWrite(_ -> {
            rows.renew(id.value());
            rows.tell(id.value());
            var token = current(id);
            audit.append(caller.project(), caller.id(), "sandbox.access-token", id.value(), "");
            return token;
        });
    }
}
