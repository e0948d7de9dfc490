package io.bivouac.agentlink;

import io.bivouac.agent.v1.Sealed;

/** Hears what one attachment of a sealed terminal hears, without understanding it. */
public interface SealedListener extends TerminalListener {
    void sealed(Sealed message);
}
