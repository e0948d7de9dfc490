package io.bivouac.sandboxes.host;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.HostCapacity;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.Usage;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The runtime of a process that makes no sandboxes itself: other hosts' processes do. It knows what those can do, and
 * has no instances. Thread-safe.
 */
final class ElsewhereRuntime implements SandboxRuntime {
    private final String name;
    private final Hosts hosts;

    ElsewhereRuntime(String name, Hosts hosts) {
        this.name = name;
        this.hosts = hosts;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isHere() {
        return false;
    }

    @Override
    public Capabilities capabilities() {
        return HostRow.onAll(hosts.up(name));
    }

    /** Of the largest host. */
    @Override
    public HostCapacity capacity() {
        return hosts.up(name).stream()
                .map(HostRow::capacity)
                .max(Comparator.comparingDouble(HostCapacity::cpu).thenComparingLong(HostCapacity::memoryBytes))
                .orElseGet(() -> HostCapacity.ofThisMachine(Long.MAX_VALUE));
    }

    @Override
    public void check() {
        if (hosts.up(name).stream().noneMatch(HostRow::works)) {
            throw new RuntimeFailure("no host is up that can start sandboxes");
        }
    }

    @Override
    public Instance create(InstanceSpec spec) {
        throw elsewhere();
    }

    @Override
    public void start(SandboxId id) {
        throw elsewhere();
    }

    @Override
    public void stop(SandboxId id, Duration grace) {
        throw elsewhere();
    }

    @Override
    public void remove(SandboxId id, boolean keepData) {
        throw elsewhere();
    }

    @Override
    public Optional<Instance> get(SandboxId id) {
        return Optional.empty();
    }

    @Override
    public List<Instance> list() {
        return List.of();
    }

    @Override
    public List<KeptData> keptData() {
        throw elsewhere();
    }

    @Override
    public void removeKeptData(SandboxId id) {
        throw elsewhere();
    }

    @Override
    public List<LogLine> logs(SandboxId id, LogQuery query) {
        throw elsewhere();
    }

    @Override
    public Usage stats(SandboxId id) {
        throw elsewhere();
    }

    private static BivouacException elsewhere() {
        return new BivouacException(
                ErrorCode.UNAVAILABLE, "Logs, figures and kept workspaces are answered by the sandbox's own host.");
    }
}
