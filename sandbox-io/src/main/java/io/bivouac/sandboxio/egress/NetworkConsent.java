package io.bivouac.sandboxio.egress;

import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import java.time.Duration;

/** The port to the people who may let a program reach a closed host. */
public interface NetworkConsent {
    /** What came of a question. */
    enum Outcome {
        ALLOWED,
        DENIED,
        /** No approver is connected, so nobody was asked. */
        NOBODY_THERE,
        /** Nobody has answered in time. */
        UNANSWERED,
        /** The question cannot be asked now. */
        UNAVAILABLE
    }

    /** @param reason a sentence for the program's user, without its full stop; empty when there is none */
    record Consent(Outcome outcome, String reason) {}

    /**
     * Asks, and waits for the answer on the caller's thread, which must be a virtual one. All who ask for the same host
     * of a sandbox at a time wait for the answer to one question.
     *
     * @param program as it calls itself; empty when it does not
     * @param patience after which the answer is no
     */
    Consent ask(Sandbox sandbox, EgressTarget target, String program, Duration patience) throws InterruptedException;
}
