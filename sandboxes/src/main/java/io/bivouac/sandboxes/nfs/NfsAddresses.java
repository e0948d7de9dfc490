package io.bivouac.sandboxes.nfs;

import io.bivouac.sandboxmodel.SandboxId;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where the workspaces of this host's sandboxes can be mounted right now. Thread-safe. */
@Singleton
public class NfsAddresses {
    private final Map<SandboxId, NfsAddress> addresses = new ConcurrentHashMap<>();

    /** Empty when the workspace is not exported. */
    public Optional<NfsAddress> of(SandboxId id) {
        return Optional.ofNullable(addresses.get(id));
    }

    void publish(SandboxId id, NfsAddress address) {
        addresses.put(id, address);
    }

    void withdraw(SandboxId id) {
        addresses.remove(id);
    }

    void withdrawAll() {
        addresses.clear();
    }
}
