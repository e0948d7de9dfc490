package io.bivouac.sessions;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.CreateSandboxes;
import io.bivouac.sandboxes.lifecycle.LifecycleSettings;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.lifecycle.StartPlan;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sessions.launch.LaunchRule;
import io.bivouac.sessions.pod.PodFiles;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Makes sandboxes for sessions that name none, on a host that has a runtime. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
class SessionSandboxes {
    /** The sandbox is there a little longer than its session, whose end then deletes it. */
    private static final Duration AFTER_SESSION = Duration.ofMinutes(1);

    private final CreateSandboxes creates;
    private final Sandboxes sandboxes;
    private final Templates templates;
    private final SandboxRuntime runtime;
    private final Duration startTimeout;

    SessionSandboxes(
            CreateSandboxes creates,
            Sandboxes sandboxes,
            Templates templates,
            SandboxRuntime runtime,
            LifecycleSettings settings) {
        this.creates = creates;
        this.sandboxes = sandboxes;
        this.templates = templates;
        this.runtime = runtime;
        this.startTimeout = settings.getStartTimeout();
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
        var plan = new StartPlan(
                startTimeout,
                files == null
                        ? null
                        : id -> runtime.folderViews().orElseThrow().show(id, files.view(), files.rights()));
        var order = order(template == null ? Template.DEFAULT : template, life.plus(AFTER_SESSION), rule);
        return running(creates.create(order, caller, plan).sandbox(), caller);
    }

    private SandboxOrder order(String template, Duration life, @Nullable LaunchRule rule) {
        return rule == null
                ? SandboxOrder.of(template, life, null, false)
                : SandboxOrder.of(
                        template, life, templates.get(template).egress().and(rule.egress()), rule.nestedSandbox());
    }

    /** Nothing is left of a sandbox that did not come up in time. */
    private SandboxId running(Sandbox made, Caller caller) {
        if (made.state() != SandboxState.RUNNING) {
            discard(made.id(), caller);
            throw new BivouacException(
                    ErrorCode.SANDBOX_FAILED,
                    "The session's sandbox is " + made.state().wireName() + ": "
                            + made.status().reason());
        }
        return made.id();
    }

    /** Deletes the sandbox of a session that was not to be. */
    void discard(SandboxId id, Caller caller) {
        sandboxes.discard(id, caller.id());
    }
}
