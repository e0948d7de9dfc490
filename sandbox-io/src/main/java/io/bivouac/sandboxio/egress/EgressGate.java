package io.bivouac.sandboxio.egress;

import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxio.egress.EgressFailed.Closed;
import io.bivouac.sandboxio.egress.NetworkConsent.Consent;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.Reach;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether a program may have the connection that it asks for, and asks people where the list has it not. Thread-safe. */
@Singleton
class EgressGate {
    /** Connections of one sandbox that wait for an answer; one more is refused at once. */
    static final int MOST_HELD = 64;

    private static final Logger LOG = LoggerFactory.getLogger(EgressGate.class);

    private final SandboxStore store;
    private final NetworkConsent consent;
    private final EgressSettings settings;
    private final Map<SandboxId, Integer> held = new ConcurrentHashMap<>();

    EgressGate(SandboxStore store, NetworkConsent consent, EgressSettings settings) {
        this.store = store;
        this.consent = consent;
        this.settings = settings;
    }

    /** @param reach what it was let through by */
    record Passed(Sandbox sandbox, Reach reach) {}

    Passed pass(EgressConnection connection, String program) throws EgressFailed {
        var id = connection.sandbox();
        var wanted = new Closed(connection.target(), program);
        var sandbox = find(id);
        if (sandbox == null || !sandbox.state().mayRun()) {
            throw new EgressFailed(EgressResult.REFUSED, "This sandbox does not run");
        }
        var policy = sandbox.definition().egress();
        var reach = connection.reachBy(policy);
        if (reach != Reach.CLOSED) {
            return new Passed(sandbox, reach);
        }
        if (!policy.ask()) {
            throw closed(id, wanted, "");
        }
        connection.hold();
        mustConsent(sandbox, wanted);
        connection.consentedBeside(mustStillRun(id).definition().egress());
        // Read again: the news of a change before the line above did not cut it.
        var now = mustStillRun(id);
        if (!connection.mayGoOn(now.definition().egress())) {
            throw closed(id, wanted, "");
        }
        return new Passed(now, Reach.LISTED);
    }

    private void mustConsent(Sandbox sandbox, Closed wanted) throws EgressFailed {
        var id = sandbox.id();
        var target = wanted.target();
        var answer = held(sandbox, wanted);
        switch (answer.outcome()) {
            case ALLOWED -> {}
            case DENIED ->
                throw new EgressFailed(
                        EgressResult.REFUSED,
                        "An approver did not let this sandbox reach " + target
                                + (answer.reason().isEmpty() ? "" : ": " + answer.reason()),
                        target + " was denied",
                        wanted);
            case NOBODY_THERE ->
                throw closed(id, wanted, "; while bivouac approve or the console is open, you are asked");
            case UNANSWERED -> throw closed(id, wanted, "; nobody answered in time");
            case UNAVAILABLE -> throw new EgressFailed(EgressResult.UNAVAILABLE, answer.reason());
        }
    }

    private Consent held(Sandbox sandbox, Closed wanted) throws EgressFailed {
        var id = sandbox.id();
        if (held.merge(id, 1, Integer::sum) > MOST_HELD) {
            letGo(id);
            throw closed(id, wanted, "; " + MOST_HELD + " of its connections wait for an answer already");
        }
        try {
            return consent.ask(sandbox, wanted.target(), wanted.program(), settings.getAskTimeout());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new EgressFailed(EgressResult.UNAVAILABLE, "The relay is stopping");
        } finally {
            letGo(id);
        }
    }

    private void letGo(SandboxId id) {
        held.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1);
    }

    private static EgressFailed closed(SandboxId id, Closed wanted, String more) {
        var target = wanted.target();
        return new EgressFailed(
                EgressResult.REFUSED,
                "This sandbox may not reach " + target + "; allow it with PUT /api/v1/sandboxes/" + id
                        + "/egress, or bivouac sandbox egress " + id + " --add " + target + more,
                target + " is not allowed",
                wanted);
    }

    private Sandbox mustStillRun(SandboxId id) throws EgressFailed {
        var sandbox = find(id);
        if (sandbox == null || !sandbox.state().mayRun()) {
            throw new EgressFailed(EgressResult.REFUSED, "This sandbox does not run");
        }
        return sandbox;
    }

    /** Null when there is none. */
    private @Nullable Sandbox find(SandboxId id) throws EgressFailed {
        try {
            return store.find(id).orElse(null);
        } catch (RuntimeException databaseAway) {
            LOG.warn("{}: could not find out what it may reach: {}", id, databaseAway.getMessage());
            throw new EgressFailed(EgressResult.UNAVAILABLE, "What this sandbox may reach cannot be found out now");
        }
    }
}
