package io.bivouac.launcher;

import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;

/** What whoever stops the server should know about its sandboxes. */
final class StopNotice {
    private StopNotice() {}

    static String of(SandboxRuntime runtime) {
        return of(runtime.list().stream()
                .filter(instance -> instance.state() == Instance.State.RUNNING && !instance.isUnowned())
                .count());
    }

    static String of(long running) {
        if (running == 0) {
            return "Stopping… no sandbox is running.";
        }
        return ("Stopping… %s; the next start picks %s up. To end %s, delete %s before the server stops:"
                        + " bivouac sandbox delete ID")
                .formatted(
                        running == 1 ? "1 sandbox keeps running" : running + " sandboxes keep running",
                        running == 1 ? "it" : "them",
                        running == 1 ? "it" : "them",
                        running == 1 ? "it" : "them");
    }
}
