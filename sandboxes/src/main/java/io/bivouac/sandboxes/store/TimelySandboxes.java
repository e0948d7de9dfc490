package io.bivouac.sandboxes.store;

import io.bivouac.sandboxmodel.SandboxId;
import java.util.List;

/**
 * Sandboxes whose time has come, those that wait the longest first.
 *
 * @param noticeDue about whose end it is time to speak
 * @param overdue whose time is over
 */
public record TimelySandboxes(List<SandboxId> noticeDue, List<SandboxId> overdue) {
    public TimelySandboxes {
        noticeDue = List.copyOf(noticeDue);
        overdue = List.copyOf(overdue);
    }
}
