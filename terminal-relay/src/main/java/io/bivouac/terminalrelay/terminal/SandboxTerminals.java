package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxes.lifecycle.Caretaker;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;

/** Ends a sandbox's terminals before the sandbox's own end is told: {@code terminal.ended} never comes after it. */
@Context
@Requires(beans = Caretaker.class)
class SandboxTerminals {
    private final TerminalRows rows;
    private final Terminals terminals;

    SandboxTerminals(TerminalRows rows, Terminals terminals, Caretaker caretaker) {
        this.rows = rows;
        this.terminals = terminals;
        caretaker.beforeEnd(this::end);
    }

    private void end(SandboxId sandbox) {
        for (var terminal : rows.liveIn(sandbox.value())) {
            terminals.ended(terminal.id(), EndReason.SANDBOX, null);
        }
    }
}
