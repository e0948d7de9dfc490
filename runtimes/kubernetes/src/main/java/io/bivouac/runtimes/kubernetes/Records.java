package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The Secrets of this installation's sandboxes. Thread-safe. */
final class Records implements AutoCloseable {
    private final Cluster cluster;
    private final Installation installation;
    private final Watched<Secret> secrets;

    Records(Cluster cluster, Installation installation) {
        this.cluster = cluster;
        this.installation = installation;
        this.secrets = new Watched<>(
                () -> cluster.client()
                        .secrets()
                        .inNamespace(cluster.namespace())
                        .withLabel(Labels.INSTALLATION, installation.id())
                        .runnableInformer(0),
                (_, _) -> {});
    }

    List<SandboxRecord> list() {
        return secrets.all().stream()
                .filter(this::isSandbox)
                .map(SandboxRecord::new)
                .toList();
    }

    /** As far as the cluster has told. */
    Optional<SandboxRecord> known(SandboxId id) {
        return secrets.find(id.value()).filter(this::isOurs).map(SandboxRecord::new);
    }

    /** Asks the cluster when it has not told of the sandbox: it may have been made a moment ago. */
    Optional<SandboxRecord> find(SandboxId id) {
        return known(id)
                .or(() -> Optional.ofNullable(cluster.call(
                                "look for " + id, client -> at(client, id).get()))
                        .filter(this::isOurs)
                        .map(SandboxRecord::new));
    }

    SandboxRecord require(SandboxId id) {
        return find(id).orElseThrow(() -> new NoSuchInstance(id));
    }

    /** Stores it, unless another server was faster; gives what is stored. */
    SandboxRecord add(SandboxId id, Secret secret) {
        return new SandboxRecord(cluster.call("store " + id, client -> {
            try {
                return client.secrets()
                        .inNamespace(cluster.namespace())
                        .resource(secret)
                        .create();
            } catch (KubernetesClientException failed) {
                if (!Cluster.isConflict(failed)) {
                    throw failed;
                }
                return Optional.ofNullable(at(client, id).get())
                        .filter(this::isOurs)
                        .orElseThrow(() -> new RuntimeFailure("The Secret " + id + " is not ours."));
            }
        }));
    }

    SandboxRecord replace(SandboxId id, Secret secret) {
        return new SandboxRecord(cluster.call(
                "store " + id,
                client -> client.secrets()
                        .inNamespace(cluster.namespace())
                        .resource(secret)
                        .update()));
    }

    void markStarted(SandboxRecord record) {
        if (record.hasStarted()) {
            return;
        }
        var patch =
                "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}".formatted(SandboxRecord.STARTED, Instant.now());
        cluster.call(
                "mark " + record.id() + " as started",
                client -> at(client, record.id()).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    void remove(SandboxId id) {
        cluster.call("remove " + id, client -> at(client, id).delete());
        secrets.await(id.value(), Pods.LONGEST_NEWS, secret -> secret.isEmpty() ? Optional.of(true) : Optional.empty());
    }

    private Resource<Secret> at(KubernetesClient client, SandboxId id) {
        return client.secrets().inNamespace(cluster.namespace()).withName(id.value());
    }

    private boolean isSandbox(Secret secret) {
        return SandboxId.isOne(secret.getMetadata().getName());
    }

    private boolean isOurs(Secret secret) {
        var labels = secret.getMetadata().getLabels();
        return labels != null && installation.id().equals(labels.get(Labels.INSTALLATION));
    }

    @Override
    public void close() {
        secrets.close();
    }
}
