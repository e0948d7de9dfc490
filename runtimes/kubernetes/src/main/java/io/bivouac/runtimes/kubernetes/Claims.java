package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime.KeptData;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Volumes for workspaces that last. A claim is a sandbox's by its label, and kept when an annotation says since when. */
final class Claims {
    private static final String KEPT_AT = "bivouac.kept-at";
    private static final String STORAGE = "storage";

    private final Cluster cluster;
    private final Installation installation;

    Claims(Cluster cluster, Installation installation) {
        this.cluster = cluster;
        this.installation = installation;
    }

    /** The claim of a sandbox: its own, one that it takes over, or a new one. */
    String claim(InstanceSpec spec, PodOptions options) {
        var own = find(spec.id());
        if (own.isPresent()) {
            return unkept(own.get(), spec);
        }
        if (spec.workspaceOf() != null) {
            return takenOver(spec.workspaceOf(), spec);
        }
        var made = cluster.call(
                "claim a volume for " + spec.id(),
                client -> client.persistentVolumeClaims()
                        .inNamespace(cluster.namespace())
                        .resource(fresh(spec, options))
                        .create());
        return made.getMetadata().getName();
    }

    private PersistentVolumeClaim fresh(InstanceSpec spec, PodOptions options) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                // One of the same sandbox may still be going.
                .withGenerateName(spec.id() + "-")
                .withLabels(Labels.of(spec, installation))
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(options.storageClass())
                .withNewResources()
                .withRequests(Map.of(
                        STORAGE, new Quantity(Long.toString(spec.resources().diskBytes()))))
                .endResources()
                .endSpec()
                .build();
    }

    private String unkept(PersistentVolumeClaim claim, InstanceSpec spec) {
        return isKept(claim) ? owned(claim, spec) : claim.getMetadata().getName();
    }

    private String takenOver(SandboxId before, InstanceSpec spec) {
        var claim = find(before)
                .filter(Claims::isKept)
                .filter(kept -> spec.project().equals(label(kept, Labels.PROJECT)))
                .orElseThrow(() -> new RuntimeFailure("There is no kept data of " + before + "."));
        return owned(claim, spec);
    }

    private String owned(PersistentVolumeClaim claim, InstanceSpec spec) {
        return change(
                claim,
                ours -> new PersistentVolumeClaimBuilder(ours)
                        .editMetadata()
                        .withLabels(Labels.of(spec, installation))
                        .removeFromAnnotations(KEPT_AT)
                        .endMetadata()
                        .build());
    }

    /** Only as long as nobody else has changed it: two may take the same over at once. */
    private String change(PersistentVolumeClaim claim, UnaryOperator<PersistentVolumeClaim> how) {
        return cluster.call("change the claim " + claim.getMetadata().getName(), client -> {
            try {
                return client.persistentVolumeClaims()
                        .inNamespace(cluster.namespace())
                        .resource(how.apply(claim))
                        .lockResourceVersion(claim.getMetadata().getResourceVersion())
                        .update()
                        .getMetadata()
                        .getName();
            } catch (KubernetesClientException failed) {
                if (Cluster.isConflict(failed) || Cluster.isGone(failed)) {
                    throw new RuntimeFailure(
                            "The kept data of " + label(claim, Labels.SANDBOX) + " was taken over by another sandbox.",
                            failed);
                }
                throw failed;
            }
        });
    }

    void keep(SandboxId id) {
        find(id).filter(claim -> !isKept(claim))
                .ifPresent(claim -> change(
                        claim,
                        ours -> new PersistentVolumeClaimBuilder(ours)
                                .editMetadata()
                                .addToAnnotations(KEPT_AT, Instant.now().toString())
                                .endMetadata()
                                .build()));
    }

    void remove(SandboxId id) {
        find(id).ifPresent(this::delete);
    }

    void removeKept(SandboxId id) {
        find(id).filter(Claims::isKept).ifPresent(this::delete);
    }

    private void delete(PersistentVolumeClaim claim) {
        cluster.call(
                "remove the claim " + claim.getMetadata().getName(),
                client -> client.persistentVolumeClaims()
                        .inNamespace(cluster.namespace())
                        .withName(claim.getMetadata().getName())
                        .delete());
    }

    List<KeptData> kept() {
        return list(Map.of()).stream()
                .filter(Claims::isKept)
                .map(claim -> new KeptData(
                        new SandboxId(label(claim, Labels.SANDBOX)),
                        label(claim, Labels.PROJECT),
                        Quantity.getAmountInBytes(claim.getSpec()
                                        .getResources()
                                        .getRequests()
                                        .get(STORAGE))
                                .longValue(),
                        Instant.parse(claim.getMetadata().getAnnotations().get(KEPT_AT))))
                .toList();
    }

    private Optional<PersistentVolumeClaim> find(SandboxId id) {
        return list(Map.of(Labels.SANDBOX, id.value())).stream().findFirst();
    }

    private List<PersistentVolumeClaim> list(Map<String, String> labels) {
        return cluster.call(
                "list claims",
                client -> client
                        .persistentVolumeClaims()
                        .inNamespace(cluster.namespace())
                        .withLabel(Labels.INSTALLATION, installation.id())
                        .withLabels(labels)
                        .list()
                        .getItems()
                        .stream()
                        .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
                        .toList());
    }

    private static boolean isKept(PersistentVolumeClaim claim) {
        var annotations = claim.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(KEPT_AT);
    }

    private static String label(PersistentVolumeClaim claim, String name) {
        return claim.getMetadata().getLabels().get(name);
    }
}
