package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.SandboxId;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells companions of an instance's start and end. A companion that fails keeps no sandbox from starting or ending. */
@Singleton
class Companions {
    private static final Logger LOG = LoggerFactory.getLogger(Companions.class);

    private final List<InstanceCompanion> companions;

    Companions(List<InstanceCompanion> companions) {
        this.companions = companions;
    }

    void started(SandboxId id) {
        tell(id, companion -> companion.started(id));
    }

    void beforeTeardown(SandboxId id) {
        tell(id, companion -> companion.beforeTeardown(id));
    }

    private void tell(SandboxId id, Consumer<InstanceCompanion> news) {
        for (var companion : companions) {
            try {
                news.accept(companion);
            } catch (RuntimeException failed) {
                LOG.warn("{}: {}", id, failed.getMessage());
            }
        }
    }
}
