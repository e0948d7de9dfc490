package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.SandboxId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back what was done for a sandbox that could not be made or started. A step that fails keeps none of the others
 * from being taken; the folder of such a sandbox is tried again. Thread-safe.
 */
final class Undoing {
    private static final Logger LOG = LoggerFactory.getLogger(Undoing.class);

    private final Instances instances;
    private final Set<SandboxId> leftFolders = ConcurrentHashMap.newKeySet();

    Undoing(Instances instances) {
        this.instances = instances;
    }

    void take(SandboxId id, Runnable... steps) {
        for (var step : steps) {
            try {
                step.run();
            } catch (RuntimeException failed) {
                LOG.warn("{} could not be undone whole: {}", id, failed.getMessage());
            }
        }
    }

    /** The folder of a sandbox that is no instance, or no longer one. */
    void removeFolder(SandboxId id) {
        try {
            Removal.delete(instances.folder(id).path());
            leftFolders.remove(id);
        } catch (RuntimeException later) {
            if (leftFolders.add(id)) {
                LOG.warn("The folder of {} is still there, and will be tried again: {}", id, later.getMessage());
            }
        }
    }

    /** Tries again what is left, unless it has become an instance since. */
    void tidy() {
        for (var id : List.copyOf(leftFolders)) {
            if (instances.isKnown(id)) {
                leftFolders.remove(id);
            } else {
                removeFolder(id);
            }
        }
    }
}
