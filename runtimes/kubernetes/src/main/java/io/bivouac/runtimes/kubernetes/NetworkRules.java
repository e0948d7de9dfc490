package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.micronaut.core.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lets this installation's sandboxes reach their relays, and nothing else; nobody reaches them. */
final class NetworkRules {
    private final Cluster cluster;
    private final Installation installation;
    private final Relays relays;
    private final @Nullable String relayPods;
    private volatile boolean applied;

    NetworkRules(Cluster cluster, Installation installation, Relays relays, @Nullable String relayPods) {
        this.cluster = cluster;
        this.installation = installation;
        this.relays = relays;
        this.relayPods = relayPods;
    }

    /** Once in a process; no Pod is made before. */
    void ensure() {
        if (!applied) {
            apply();
        }
    }

    /** Somebody may have changed or removed them. */
    void apply() {
        cluster.call(
                "apply the sandboxes' network policy",
                client -> client.network()
                        .v1()
                        .networkPolicies()
                        .inNamespace(cluster.namespace())
                        .resource(policy())
                        .forceConflicts()
                        .serverSideApply());
        applied = true;
    }

    private NetworkPolicy policy() {
        var policy = new NetworkPolicyBuilder()
                .withNewMetadata()
                .withName("bivouac-" + installation.id().replace('_', '-').toLowerCase(Locale.ROOT))
                .withLabels(Map.of(Labels.INSTALLATION, installation.id()))
                .endMetadata()
                .withNewSpec()
                .withNewPodSelector()
                .addToMatchLabels(Labels.INSTALLATION, installation.id())
                .addToMatchLabels(Labels.BIVOUAC, "true")
                .endPodSelector()
                .withPolicyTypes("Ingress", "Egress")
                .endSpec();
        for (var place : relays.places()) {
            policy.editSpec()
                    .addNewEgress()
                    .withTo(peers(place))
                    .addNewPort()
                    .withProtocol("TCP")
                    .withNewPort(place.port())
                    .endPort()
                    .endEgress()
                    .endSpec();
        }
        return policy.build();
    }

    /** A Service's address counts for some networks, the Pods behind it for others. */
    private List<NetworkPolicyPeer> peers(Relays.Place place) {
        var peers = new ArrayList<NetworkPolicyPeer>();
        peers.add(new NetworkPolicyPeerBuilder()
                .withNewIpBlock()
                .withCidr(place.cidr())
                .endIpBlock()
                .build());
        if (relayPods != null) {
            var label = relayPods.split("=", 2);
            peers.add(new NetworkPolicyPeerBuilder()
                    .withNewPodSelector()
                    .addToMatchLabels(label[0], label.length > 1 ? label[1] : "")
                    .endPodSelector()
                    .withNewNamespaceSelector()
                    .endNamespaceSelector()
                    .build());
        }
        return peers;
    }
}
