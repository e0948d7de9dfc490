package io.bivouac.sessions;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.outbox.EventFlow;
import io.bivouac.sandboxes.lifecycle.Caretaker;
import io.bivouac.sandboxes.lifecycle.LifecycleSettings;
import io.bivouac.sandboxes.lifecycle.StateWatch;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.Lifetime;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sessions.launch.LaunchRule;
import io.bivouac.sessions.pod.PodFiles;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;

/** Makes sandboxes for sessions that name none, on a host that has a runtime. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
class SessionSandboxes {
    /** The sandbox is there a little longer than its session, whose end then deletes it. */
    private static final Duration AFTER_SESSION = Duration.ofMinutes(1);

    private final SandboxStore store;
    private final EventFlow flow;
    private final Templates templates;
    private final Caretaker caretaker;
    private final StateWatch watch;
    private final Host host;

    /** Where new sandboxes go, and how long they may take. */
    @Singleton
    @Requires(beans = SandboxRuntime.class)
    record Host(SandboxRuntime runtime, Installation installation, LifecycleSettings settings) {}

    SessionSandboxes(
            SandboxStore store, EventFlow flow, Templates templates, Caretaker caretaker, StateWatch watch, Host host) {
        this.store = store;
        this.flow = flow;
        this.templates = templates;
        this.caretaker = caretaker;
        this.watch = watch;
        this.host = host;
    }

    /**
     * A sandbox that runs.
     *
     * @param rule of the program that it is for; null for any
     * @param files what it sees of a Pod; null for nothing
     */
    SandboxId make(
            @Nullable String template,
            Duration life,
            Caller caller,
            @Nullable LaunchRule rule,
            @Nullable PodFiles.Shown files) {
        caller.mustBe(Role.DEVELOPER);
        flow.mustFlow();
        var draft = draft(template == null ? Template.DEFAULT : template, life, caller, rule);
        try (var _ = caretaker.take(draft.id())) {
            store.add(draft);
            caretaker.attend(draft.id(), () -> {
                if (files != null) {
                    host.runtime().folderViews().orElseThrow().show(draft.id(), files.view(), files.rights());
                }
            });
            var made = watch.await(
                    draft.id(),
                    found -> found.state() != SandboxState.STARTING,
                    host.settings().getStartTimeout());
            if (made.state() != SandboxState.RUNNING) {
                discard(draft.id());
                throw new BivouacException(
                        ErrorCode.SANDBOX_FAILED,
                        "The session's sandbox is " + made.state().wireName() + ": "
                                + made.status().reason());
            }
        }
        return draft.id();
    }

    /** Deletes the sandbox of a session that was not to be. */
    void discard(SandboxId id) {
        store.on(id, new DeleteRequested(false));
    }

    private Sandbox draft(String name, Duration life, Caller caller, @Nullable LaunchRule rule) {
        var template = templates.get(name);
        var now = store.now();
        return new Sandbox(
                SandboxId.next(),
                caller.project(),
                new Definition(
                        template.name(),
                        null,
                        template.resources(),
                        Map.of(),
                        Map.of(),
                        null,
                        rule == null ? template.egress() : template.egress().and(rule.egress()),
                        rule != null && rule.nestedSandbox()),
                new Placement(host.runtime().name(), host.installation().host()),
                Status.of(SandboxState.STARTING, now),
                Lifetime.startingAt(now, life.plus(AFTER_SESSION)),
                now,
                0,
                0);
    }
}
