package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.Check;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Whether the cluster's network enforces policies: many accept them and do nothing. Two Pods try to reach the API
 * server, one under the sandboxes' policy and one not. Only if the second gets there does it mean something that the
 * first does not.
 */
final class PolicyTrial {
    /** Not Bivouac's label alone: the policy is for Pods that have both. */
    private static final String TRIAL = "bivouac.trial";

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String SECONDS_TO_CONNECT = "3";
    private static final String CHECK = "network policy";

    private final Cluster cluster;
    private final Installation installation;
    private final KubernetesSettings settings;

    PolicyTrial(Cluster cluster, Installation installation, KubernetesSettings settings) {
        this.cluster = cluster;
        this.installation = installation;
        this.settings = settings;
    }

    /** @param image carries the agent */
    Check hold(String image) {
        var under = pod(image, true);
        var free = pod(image, false);
        try {
            make(under);
            make(free);
            var reachedUnder = reached(under);
            var reachedFree = reached(free);
            return verdict(reachedUnder, reachedFree);
        } catch (RuntimeFailure failed) {
            return unclear(failed.getMessage());
        } finally {
            remove(under);
            remove(free);
        }
    }

    private Check verdict(Optional<Boolean> under, Optional<Boolean> free) {
        if (under.isEmpty() || free.isEmpty()) {
            return unclear("the Pods of the trial did not end within " + LONGEST.toSeconds() + " s");
        }
        if (under.get()) {
            return Check.wrong(
                    CHECK,
                    "a Pod that may not reach the API server does reach it: this cluster's network does not enforce"
                            + " network policies",
                    "Sandboxes reach each other, the API server and everything else that the cluster reaches.",
                    "use a network that enforces them, for example Calico or Cilium");
        }
        return free.get()
                ? Check.fine(CHECK, "enforced: a Pod without the policy reaches the API server, one under it does not")
                : unclear("a Pod without any policy of ours does not reach the API server either");
    }

    private static Check unclear(String why) {
        return Check.wrong(
                CHECK,
                "not known: " + why,
                "Sandboxes may reach more than they should.",
                "see that the cluster's network enforces network policies: kubectl get networkpolicy");
    }

    private Pod pod(String image, boolean under) {
        var labels = under
                ? Map.of(TRIAL, "true", Labels.INSTALLATION, installation.id(), Labels.BIVOUAC, "true")
                : Map.of(TRIAL, "true");
        return new PodBuilder()
                .withNewMetadata()
                .withName(SortableId.next("bivouac-trial-"))
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withActiveDeadlineSeconds(LONGEST.toSeconds())
                .addNewContainer()
                .withName("trial")
                .withImage(image)
                .withImagePullPolicy(settings.getPull().policy())
                .withCommand(PodRecipe.AGENT, "reach", apiServer(), SECONDS_TO_CONNECT)
                .withNewSecurityContext()
                .withRunAsUser((long) PodRecipe.USER)
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .build();
    }

    private String apiServer() {
        try {
            var address = InetAddress.getByName(cluster.address().getHost()).getHostAddress();
            return (address.contains(":") ? "[" + address + "]" : address) + ":" + cluster.port();
        } catch (UnknownHostException unknown) {
            throw new RuntimeFailure("the API server's name is not known here", unknown);
        }
    }

    private void make(Pod pod) {
        cluster.call(
                "make a Pod to try the network",
                client -> client.pods()
                        .inNamespace(cluster.namespace())
                        .resource(pod)
                        .create());
    }

    /** Empty when it has not ended. */
    private Optional<Boolean> reached(Pod pod) {
        var ended = cluster.call("wait for a Pod that tries the network", client -> {
            try {
                return client.pods()
                        .inNamespace(cluster.namespace())
                        .withName(pod.getMetadata().getName())
                        .waitUntilCondition(PolicyTrial::hasEnded, LONGEST.toSeconds(), TimeUnit.SECONDS);
            } catch (io.fabric8.kubernetes.client.KubernetesClientTimeoutException late) {
                return null;
            }
        });
        return Optional.ofNullable(ended)
                .filter(found -> found.getStatus().getContainerStatuses().stream()
                        .anyMatch(status -> status.getState().getTerminated() != null
                                && !"StartError"
                                        .equals(status.getState()
                                                .getTerminated()
                                                .getReason())))
                .map(found -> "Succeeded".equals(found.getStatus().getPhase()));
    }

    private static boolean hasEnded(Pod pod) {
        return pod != null
                && pod.getStatus() != null
                && Set.of("Succeeded", "Failed")
                        .contains(String.valueOf(pod.getStatus().getPhase()));
    }

    private void remove(Pod pod) {
        cluster.call(
                "remove a Pod that tried the network",
                client -> client.pods()
                        .inNamespace(cluster.namespace())
                        .withName(pod.getMetadata().getName())
                        .withGracePeriod(0)
                        .delete());
    }
}
