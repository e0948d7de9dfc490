package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/** This installation's Pods. Thread-safe. */
final class Pods implements AutoCloseable {
    /** Between what we did and being told of it. */
    static final Duration LONGEST_NEWS = Duration.ofSeconds(10);

    /** A node that has not ended a Pod so long after its time is taken for lost. */
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private static final long MILLIS = 1000;
    private static final String DELETED = "its Pod was deleted";

    private final Cluster cluster;
    private final Watched<Pod> pods;
    private final List<Consumer<SandboxId>> listeners = new CopyOnWriteArrayList<>();

    /** Why Pods went that nobody here has ended; until the sandbox starts again or is removed. */
    private final ConcurrentHashMap<String, String> lastWords = new ConcurrentHashMap<>();

    Pods(Cluster cluster, Installation installation) {
        this.cluster = cluster;
        this.pods = new Watched<>(
                () -> cluster.client()
                        .pods()
                        .inNamespace(cluster.namespace())
                        .withLabel(Labels.INSTALLATION, installation.id())
                        .runnableInformer(0),
                this::changed);
    }

    /** Is told of each Pod that has ended or is about to. */
    void onEnd(Consumer<SandboxId> listener) {
        listeners.add(listener);
        // So that something is heard, also before anybody asks for a Pod.
        pods.all();
    }

    private void changed(Pod pod, boolean gone) {
        var name = pod.getMetadata().getName();
        var state = PodState.of(pod);
        if (gone) {
            lastWords.put(name, state.state() == Instance.State.STOPPED ? state.detail() : DELETED);
        }
        if ((gone || state.state() == Instance.State.STOPPED) && SandboxId.isOne(name)) {
            listeners.forEach(listener -> listener.accept(new SandboxId(name)));
        }
    }

    List<Pod> all() {
        return pods.all();
    }

    Optional<Pod> find(String name) {
        return pods.find(name);
    }

    String lastWordsOf(String name) {
        return lastWords.getOrDefault(name, DELETED);
    }

    void forget(String name) {
        lastWords.remove(name);
    }

    /** Does nothing when it is there. */
    void make(Pod pod) {
        var name = pod.getMetadata().getName();
        lastWords.remove(name);
        cluster.call("make the Pod " + name, client -> {
            try {
                return client.pods()
                        .inNamespace(cluster.namespace())
                        .resource(pod)
                        .create();
            } catch (KubernetesClientException failed) {
                if (Cluster.isConflict(failed)) {
                    return pod;
                }
                throw failed;
            }
        });
    }

    <R> Optional<R> await(String name, Duration longest, Function<Optional<Pod>, Optional<R>> question) {
        return pods.await(name, longest, question);
    }

    /** Asks it to end, and returns when it is gone. */
    void end(String name, Duration grace) {
        long seconds = Math.max(1, (grace.toMillis() + MILLIS - 1) / MILLIS);
        delete(name, seconds);
        if (awaitGone(name, grace.plus(LONGEST_END))) {
            return;
        }
        delete(name, 0);
        if (!awaitGone(name, LONGEST_NEWS)) {
            throw new RuntimeFailure("The Pod " + name + " does not go, although it was deleted.");
        }
    }

    private void delete(String name, long seconds) {
        // Nothing is given back when it is not there.
        cluster.call(
                "delete the Pod " + name,
                client -> at(name).withGracePeriod(seconds).delete());
    }

    private boolean awaitGone(String name, Duration longest) {
        return pods.await(name, longest, pod -> pod.isEmpty() ? Optional.of(true) : Optional.empty())
                .isPresent();
    }

    /** Looks at the cluster itself, since a Pod that was made a moment ago may not have been told of. */
    boolean exists(String name) {
        return find(name).isPresent() || cluster.call("look for the Pod " + name, client -> at(name).get()) != null;
    }

    PodResource at(String name) {
        return cluster.client().pods().inNamespace(cluster.namespace()).withName(name);
    }

    @Override
    public void close() {
        pods.close();
    }
}
