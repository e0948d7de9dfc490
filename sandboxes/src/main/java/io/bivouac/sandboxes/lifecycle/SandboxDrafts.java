package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.outbox.EventFlow;
import io.bivouac.sandboxes.host.Hosts;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Lifetime;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** Drafts new sandboxes for this host, or for another where this process makes none; nothing is stored. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
class SandboxDrafts {
    private final CreateRules rules;
    private final EventFlow flow;
    private final RuntimeHealth health;
    private final SandboxStore store;
    private final Places places;

    /** Where sandboxes are made. */
    @Singleton
    @Requires(beans = SandboxRuntime.class)
    record Places(SandboxRuntime runtime, Installation installation, Hosts hosts) {
        Placement choose(Resources wanted) {
            return runtime.isHere()
                    ? new Placement(runtime.name(), installation.host())
                    : hosts.choose(runtime.name(), wanted);
        }
    }

    SandboxDrafts(CreateRules rules, EventFlow flow, SandboxStore store, RuntimeHealth health, Places places) {
        this.rules = rules;
        this.flow = flow;
        this.health = health;
        this.store = store;
        this.places = places;
    }

    /** A starting sandbox that fits the order, or a refusal. */
    Sandbox draft(SandboxOrder order, Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        flow.mustFlow();
        var definition = rules.definition(order, caller);
        health.mustWork();
        var now = store.now();
        var lifetime = Lifetime.startingAt(now, order.timeout()).endingBy(order.onExpiry());
        return new Sandbox(
                SandboxId.next(),
                caller.project(),
                definition,
                places.choose(definition.resources()),
                Status.of(SandboxState.STARTING, now),
                order.keepAlive() ? lifetime.keptAlive(rules.maxLifetime(order)) : lifetime,
                now,
                0,
                0);
    }
}
