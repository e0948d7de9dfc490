package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** Makes Pods of what is stored about sandboxes, and waits until they run. */
final class PodStarter {
    private final Cluster cluster;
    private final Pods pods;
    private final Duration longest;

    PodStarter(Cluster cluster, Pods pods, Duration longest) {
        this.cluster = cluster;
        this.pods = pods;
        this.longest = longest;
    }

    String written(Pod pod) {
        return cluster.client().getKubernetesSerialization().asJson(pod);
    }

    void make(SandboxRecord record) {
        var name = record.id().value();
        var state = pods.find(name).map(PodState::of).map(PodState::state);
        if (state.isPresent() && state.get() != Instance.State.STOPPED) {
            return;
        }
        if (state.isPresent()) {
            pods.end(name, Duration.ZERO);
        }
        var stored = cluster.client().getKubernetesSerialization().unmarshal(record.pod(), Pod.class);
        pods.make(new PodBuilder(stored)
                .editMetadata()
                // It goes when the Secret goes, whoever removes that.
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Secret")
                        .withName(name)
                        .withUid(record.uid())
                        .build())
                .endMetadata()
                .build());
    }

    /** Until it runs or has ended; a failure when it cannot. */
    void awaitStarted(SandboxRecord record) {
        var name = record.id().value();
        var seen = new boolean[1];
        var state = pods.await(name, longest, pod -> {
            if (pod.isEmpty() && seen[0]) {
                return Optional.of(new PodState(Instance.State.STOPPED, true, "its Pod was deleted while it started"));
            }
            seen[0] = pod.isPresent();
            return pod.map(PodState::of).filter(PodStarter::isDecided);
        });
        if (state.isEmpty()) {
            var waitsFor =
                    pods.find(name).map(PodState::of).map(PodState::detail).orElse("its Pod is not there");
            fail(record.id(), "did not run within " + longest.toSeconds() + " s: " + waitsFor + lastWarning(name));
        } else if (state.get().hopeless()) {
            fail(record.id(), "cannot start: " + state.get().detail());
        }
    }

    private static boolean isDecided(PodState state) {
        return state.hopeless() || state.state() != Instance.State.CREATED;
    }

    private void fail(SandboxId id, String why) {
        pods.end(id.value(), Duration.ZERO);
        throw new RuntimeFailure("The Pod of " + id + " " + why);
    }

    /** What the cluster says beside the status: a node that cannot make the Pod, or a volume that does not come. */
    private String lastWarning(String name) {
        return cluster.call(
                "read the events of " + name,
                client -> client
                        .v1()
                        .events()
                        .inNamespace(cluster.namespace())
                        .withField("involvedObject.name", name)
                        .withField("type", "Warning")
                        .list()
                        .getItems()
                        .stream()
                        .max(Comparator.comparing(event -> String.valueOf(event.getLastTimestamp())))
                        .map(PodStarter::sentence)
                        .orElse(""));
    }

    private static String sentence(Event event) {
        return "; " + event.getReason() + ": " + event.getMessage();
    }
}
