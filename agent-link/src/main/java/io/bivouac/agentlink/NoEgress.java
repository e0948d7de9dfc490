package io.bivouac.agentlink;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** The answer of a process without a proxy: connections out of a sandbox are closed. */
@Singleton
@Requires(missingBeans = EgressListener.class)
class NoEgress implements EgressListener {
    @Override
    public void opened(SandboxId sandbox, CarriedStream program) {
        program.close();
    }
}
