package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.StripedLocks;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.Check;
import io.bivouac.sandboxmodel.runtime.HostCapacity;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.Usage;
import io.bivouac.sandboxmodel.template.Template;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sandboxes as Pods of a Kubernetes cluster. */
public final class KubernetesRuntime implements SandboxRuntime, AutoCloseable {
    static final String NAME = "kubernetes";

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesRuntime.class);
    private static final int LOCKS = 256;

    private final Cluster cluster;
    private final Installation installation;
    private final KubernetesSettings settings;
    private final TemplateImages images;
    private final PodOptionsFile options;
    private final Relays relays;
    private final NetworkRules rules;
    private final Records records;
    private final Pods pods;
    private final PodStarter starter;
    private final Claims claims;
    private final PodUsage usage;
    private final NetworkVerdict verdict;
    private final StripedLocks locks = new StripedLocks(LOCKS);

    /** @param longestStart how long a start may take, with the download of an image */
    public KubernetesRuntime(
            KubernetesSettings settings, Relays relays, Duration longestStart, Installation installation) {
        this.settings = settings;
        this.relays = relays;
        this.installation = installation;
        this.images = new TemplateImages(settings.getImage());
        this.options = PodOptionsFile.read(settings);
        this.cluster = new Cluster(settings);
        this.rules = new NetworkRules(cluster, installation, relays, settings.getRelayPods());
        this.records = new Records(cluster, installation);
        this.pods = new Pods(cluster, installation);
        this.verdict = new NetworkVerdict(new PolicyTrial(cluster, installation, settings));
        this.starter = new PodStarter(cluster, pods, longestStart);
        this.claims = new Claims(cluster, installation);
        this.usage = new PodUsage(new PodExec(pods));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, false, true, true, verdict.notes());
    }

    /** A cluster grows and its nodes differ: what fits nowhere is said by the start. */
    @Override
    public HostCapacity capacity() {
        return new HostCapacity(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    @Override
    public Optional<String> whyMissing(Template template) {
        return images.whyMissing(template);
    }

    @Override
    public Optional<String> exposure() {
        return verdict.exposure();
    }

    @Override
    public void check() {
        relays.certificate();
        rules.apply();
    }

    @Override
    public List<Check> examine() {
        return List.of(reachable(), verdict.check());
    }

    private Check reachable() {
        try {
            check();
            return Check.fine(
                    "kubernetes", "it answers at " + cluster.address() + ", namespace " + cluster.namespace());
        } catch (RuntimeFailure failed) {
            return Check.wrong(
                    "kubernetes",
                    failed.getMessage(),
                    "No sandbox can be made.",
                    "kubectl auth can-i --list --namespace " + cluster.namespace()
                            + " shows what is allowed; docs/kubernetes.md says what is needed");
        }
    }

    @Override
    public Instance create(InstanceSpec spec) {
        return locks.holding(spec.id(), () -> {
            var image = images.of(spec.template());
            // One that another server has made a moment ago is found when this one is stored.
            var existing = records.known(spec.id());
            var agent = AgentVariable.of(spec, relays);
            if (existing.isPresent()
                    && existing.get().image().equals(image)
                    && existing.get().agent().equals(agent)) {
                return instance(existing.get());
            }
            if (existing.isPresent() && existing.get().image().equals(image) && isRunning(existing.get())) {
                return instance(existing.get());
            }
            existing.ifPresent(outdated -> pods.end(spec.id().value(), Duration.ZERO));
            var wanted = options.of(spec.template().name());
            var claim = existing.flatMap(SandboxRecord::claim)
                    .orElseGet(() -> wanted.lasts() ? claims.claim(spec, wanted) : null);
            var pod = new PodRecipe(settings, installation).pod(spec, image, claim, wanted);
            var contents = new RecordRecipe.Contents(agent, starter.written(pod));
            var secret = RecordRecipe.secret(spec, installation, image, claim, contents);
            return instance(existing.isPresent() ? records.replace(spec.id(), secret) : records.add(spec.id(), secret));
        });
    }

    private boolean isRunning(SandboxRecord record) {
        return instance(record).state() == Instance.State.RUNNING;
    }

    @Override
    public void start(SandboxId id) {
        locks.holding(id, () -> {
            var record = records.require(id);
            rules.ensure();
            starter.make(record);
            records.markStarted(record);
            starter.awaitStarted(record);
            verdict.canBeFoundBy(record.image());
            return record;
        });
    }

    @Override
    public void stop(SandboxId id, Duration grace) {
        records.require(id);
        pods.end(id.value(), grace);
        usage.forget(id.value());
    }

    @Override
    public void remove(SandboxId id, boolean keepData) {
        locks.holding(id, () -> {
            var record = records.find(id);
            if (record.isPresent()) {
                pods.end(id.value(), Duration.ZERO);
                pods.forget(id.value());
                usage.forget(id.value());
                if (keepData) {
                    claims.keep(id);
                }
                records.remove(id);
            }
            if (!keepData) {
                claims.remove(id);
            }
            return record;
        });
    }

    @Override
    public void onEnd(Consumer<SandboxId> listener) {
        Thread.ofVirtual().name("kubernetes-pods").start(() -> {
            try {
                pods.onEnd(listener);
            } catch (RuntimeFailure unreachable) {
                LOG.warn("Nothing is heard of Pods yet: {}", unreachable.getMessage());
            }
        });
    }

    @Override
    public Optional<Instance> get(SandboxId id) {
        return records.find(id).map(this::instance);
    }

    @Override
    public List<Instance> list() {
        return records.list().stream().map(this::instance).toList();
    }

    @Override
    public List<KeptData> keptData() {
        return claims.kept();
    }

    @Override
    public void removeKeptData(SandboxId id) {
        claims.removeKept(id);
    }

    @Override
    public void tidy() {
        rules.apply();
    }

    @Override
    public List<LogLine> logs(SandboxId id, LogQuery query) {
        records.require(id);
        return new PodLogs(cluster, pods).read(id.value(), query);
    }

    @Override
    public Usage stats(SandboxId id) {
        var record = records.require(id);
        return isRunning(record) ? usage.of(record) : PodUsage.nothing(record);
    }

    private Instance instance(SandboxRecord record) {
        var state = pods.find(record.id().value()).map(PodState::of).orElseGet(() -> withoutPod(record));
        return new Instance(
                record.id(),
                record.project(),
                state.state(),
                record.uid(),
                record.labels(),
                record.createdAt(),
                state.state() == Instance.State.STOPPED ? state.detail() : null);
    }

    private PodState withoutPod(SandboxRecord record) {
        return record.hasStarted()
                ? new PodState(
                        Instance.State.STOPPED,
                        false,
                        pods.lastWordsOf(record.id().value()))
                : new PodState(Instance.State.CREATED, false, "it has not been started");
    }

    @Override
    public void close() {
        verdict.close();
        records.close();
        pods.close();
        cluster.close();
    }
}
