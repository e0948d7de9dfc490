package io.bivouac.sandboxes;

import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.Role;
import io.bivouac.sandboxes.store.Page;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.transition.Happening;
import jakarta.inject.Singleton;

/** The sandboxes as a caller may see and change them: only the own project's. Thread-safe. */
@Singleton
public class Sandboxes {
    private final SandboxStore store;

    Sandboxes(SandboxStore store) {
        this.store = store;
    }

    public Sandbox get(SandboxId id, Caller caller) {
        var sandbox = store.find(id)
                .filter(found -> found.state() != SandboxState.DELETED)
                .orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
        caller.mustOwn(sandbox.project(), "Sandbox " + id);
        return sandbox;
    }

    public Sandbox change(SandboxId id, Caller caller, Happening happening) {
        caller.mustBe(Role.DEVELOPER);
        get(id, caller);
        return store.on(id, happening);
    }

    public Page<Sandbox> list(Caller caller, SandboxFilter filter) {
        return store.list(caller.project(), filter);
    }
}
