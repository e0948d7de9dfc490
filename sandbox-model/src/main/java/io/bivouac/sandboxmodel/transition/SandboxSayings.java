package io.bivouac.sandboxmodel.transition;

import io.bivouac.events.SandboxData;
import io.bivouac.sandboxmodel.Sandbox;

/** A sandbox as its events tell it. */
final class SandboxSayings {
    private SandboxSayings() {}

    static SandboxData of(Sandbox sandbox) {
        var definition = sandbox.definition();
        var status = sandbox.status();
        return new SandboxData(
                sandbox.id().value(),
                definition.name(),
                status.state().wireName(),
                status.reason(),
                status.stopReason() == null ? null : status.stopReason().wireName(),
                definition.template(),
                definition.labels(),
                sandbox.lifetime().createdAt(),
                sandbox.lifetime().expiresAt());
    }
}
