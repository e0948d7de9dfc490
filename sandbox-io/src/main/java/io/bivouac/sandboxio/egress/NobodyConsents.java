package io.bivouac.sandboxio.egress;

import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;

/** The answer of a process in which no approver can be asked. */
@Singleton
@Requires(missingBeans = NetworkConsent.class)
class NobodyConsents implements NetworkConsent {
    @Override
    public Consent ask(Sandbox sandbox, EgressTarget target, String program, Duration patience) {
        return new Consent(Outcome.NOBODY_THERE, "");
    }
}
