package io.bivouac.sandboxes.egress;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.egress.EgressRule;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Clock;

/** The hosts that a project has opened for all of its new sandboxes of a template. Thread-safe. */
@Singleton
public class TemplateHosts {
    private static final String ACTION = "template.egress";

    private final TemplateHostRows rows;
    private final Audit audit;
    private final TransactionOperations<Connection> transactions;
    private final Clock clock;

    TemplateHosts(TemplateHostRows rows, Audit audit, TransactionOperations<Connection> transactions, Clock clock) {
        this.rows = rows;
        this.audit = audit;
        this.transactions = transactions;
        this.clock = clock;
    }

    public EgressPolicy of(String project, String template) {
        return EgressPolicy.allowing(rows.of(project, template, EgressPolicy.MOST_RULES));
    }

    /** Joins a transaction under way. */
    public void add(Caller caller, String template, EgressRule host) {
        caller.mustBe(Role.DEVELOPER);
        transactions.executeWrite(_ -> {
            var known = of(caller.project(), template).rules();
            if (!known.contains(host) && known.size() >= EgressPolicy.MOST_RULES) {
                throw BivouacException.invalidRequest("At most " + EgressPolicy.MOST_RULES
                        + " hosts can be opened for a template; template " + template + " has as many.");
            }
            rows.add(caller.project(), template, host.toString(), clock.instant());
            audit.append(caller.project(), caller.id(), ACTION, template, "added " + host);
            return null;
        });
    }

    /** Sandboxes that are there already keep what they have. */
    public EgressPolicy replace(Caller caller, String template, EgressPolicy hosts) {
        caller.mustBe(Role.DEVELOPER);
        return transactions.executeWrite(_ -> {
            rows.clear(caller.project(), template);
            hosts.hosts().forEach(host -> rows.add(caller.project(), template, host, clock.instant()));
            audit.append(caller.project(), caller.id(), ACTION, template, hosts.toString());
            return of(caller.project(), template);
        });
    }
}
