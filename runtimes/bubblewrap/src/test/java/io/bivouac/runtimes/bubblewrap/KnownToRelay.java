package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.PausableInstances;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A runtime whose sandboxes the relay expects, as the control plane sees to it. */
record KnownToRelay(SandboxRuntime runtime) implements SandboxRuntime {
    @Override
    public String name() {
        return runtime.name();
    }

    @Override
    public Capabilities capabilities() {
        return runtime.capabilities();
    }

    @Override
    public void check() {
        runtime.check();
    }

    @Override
    public Instance create(InstanceSpec spec) {
        return runtime.create(TestRelay.expected(spec));
    }

    @Override
    public void start(SandboxId id) {
        runtime.start(id);
    }

    @Override
    public void stop(SandboxId id, Duration grace) {
        runtime.stop(id, grace);
    }

    @Override
    public void remove(SandboxId id, boolean keepData) {
        runtime.remove(id, keepData);
    }

    @Override
    public Optional<Instance> get(SandboxId id) {
        return runtime.get(id);
    }

    @Override
    public List<Instance> list() {
        return runtime.list();
    }

    @Override
    public List<KeptData> keptData() {
        return runtime.keptData();
    }

    @Override
    public void removeKeptData(SandboxId id) {
        runtime.removeKeptData(id);
    }

    @Override
    public List<LogLine> logs(SandboxId id, LogQuery query) {
        return runtime.logs(id, query);
    }

    @Override
    public Usage stats(SandboxId id) {
        return runtime.stats(id);
    }

    @Override
    public Optional<PausableInstances> pausableInstances() {
        return runtime.pausableInstances();
    }
}
