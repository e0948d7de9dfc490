package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.outbox.EventFlow;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxes.token.SandboxTokens;
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
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/** Drafts and stores new sandboxes. */
@Singleton
class NewSandboxes {
    private final SandboxStore store;
    private final Templates templates;
    private final SandboxTokens tokens;
    private final SandboxRuntime runtime;
    private final EventFlow flow;
    private final Installation installation;

    NewSandboxes(
            SandboxStore store,
            Templates templates,
            SandboxTokens tokens,
            SandboxRuntime runtime,
            EventFlow flow,
            Installation installation) {
        this.store = store;
        this.templates = templates;
        this.tokens = tokens;
        this.runtime = runtime;
        this.flow = flow;
        this.installation = installation;
    }

    /** A sandbox that would fit the request; nothing is stored yet. */
    Sandbox draft(CreateRequest request, Caller caller) {
        flow.mustFlow();
        var definition = CreateRules.definition(request, templates);
        runtime.whyMissing(templates.get(definition.template())).ifPresent(why -> {
            throw new BivouacException(ErrorCode.UNSUPPORTED_BY_RUNTIME, why);
        });
        if (request.resources() != null) {
            CreateRules.mustBeEnforced(request.resources(), runtime.capabilities());
        }
        var timeout = CreateRules.timeout(request);
        if (definition.workspace() != null) {
            mustBeKept(definition.workspace(), caller);
        }
        var now = store.now();
        return new Sandbox(
                SandboxId.next(),
                caller.project(),
                definition,
                new Placement(runtime.name(), installation.host()),
                Status.of(SandboxState.STARTING, now),
                Lifetime.startingAt(now, timeout),
                now,
                0,
                0);
    }

    private void mustBeKept(String workspace, Caller caller) {
        var kept = runtime.keptData().stream()
                .filter(data -> data.id().value().equals(workspace))
                .findFirst()
                .orElseThrow(() -> new BivouacException(
                        ErrorCode.WORKSPACE_NOT_FOUND, "There is no kept workspace " + workspace + "."));
        caller.mustOwn(kept.project(), "Workspace " + workspace);
    }

    /** For a transaction that stores the draft among other things. */
    <T> T inTurn(Sandbox draft, Supplier<T> create) {
        return store.inTurn(draft.project(), create);
    }

    void store(Sandbox draft) {
        store.add(draft);
    }

    /** To be called before somebody is told of a sandbox that has not started yet. */
    void makeDurable() {
        store.makeDurable();
    }

    /** With the token that only the maker is shown. */
    SandboxView reveal(SandboxView view) {
        return view.withAccessToken(tokens.accessToken(new SandboxId(view.id())));
    }
}
