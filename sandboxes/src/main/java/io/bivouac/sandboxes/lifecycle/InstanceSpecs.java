package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import jakarta.inject.Singleton;

/** What the runtime is told of a sandbox. Thread-safe. */
@Singleton
class InstanceSpecs {
    private final Templates templates;
    private final SandboxTokens tokens;

    InstanceSpecs(Templates templates, SandboxTokens tokens) {
        this.templates = templates;
        this.tokens = tokens;
    }

    InstanceSpec of(Sandbox sandbox) {
        var definition = sandbox.definition();
        return new InstanceSpec(
                sandbox.id(),
                sandbox.project(),
                templates.get(definition.template()),
                definition.resources(),
                definition.envs(),
                tokens.joinToken(sandbox.id()),
                definition.workspace() == null ? null : new SandboxId(definition.workspace()),
                definition.nestedSandbox());
    }
}
