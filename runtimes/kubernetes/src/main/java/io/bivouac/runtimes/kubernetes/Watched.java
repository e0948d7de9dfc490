package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** This installation's objects of one kind, as the cluster tells of them: nothing is asked again and again. */
final class Watched<T extends HasMetadata> implements AutoCloseable {
    private static final Duration LONGEST_SYNC = Duration.ofSeconds(20);

    private final Supplier<SharedIndexInformer<T>> source;
    private final BiConsumer<T, Boolean> listener;
    private final ConcurrentHashMap<String, T> objects = new ConcurrentHashMap<>();
    private SharedIndexInformer<T> informer;

    /**
     * @param source an informer that has not been started
     * @param listener is told of each change, and whether the object is gone; it must not wait
     */
    Watched(Supplier<SharedIndexInformer<T>> source, BiConsumer<T, Boolean> listener) {
        this.source = source;
        this.listener = listener;
    }

    Optional<T> find(String name) {
        start();
        return Optional.ofNullable(objects.get(name));
    }

    List<T> all() {
        start();
        return List.copyOf(objects.values());
    }

    /**
     * Waits until the object is so that there is an answer, or until the time is over.
     *
     * @param question is asked each time that the object has changed, with none when it is not there
     */
    <R> Optional<R> await(String name, Duration longest, Function<Optional<T>, Optional<R>> question) {
        start();
        long deadline = System.nanoTime() + longest.toNanos();
        synchronized (this) {
            while (true) {
                var answer = question.apply(Optional.ofNullable(objects.get(name)));
                long left = deadline - System.nanoTime();
                if (answer.isPresent() || left <= 0) {
                    return answer;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                    throw new RuntimeFailure("Waiting for " + name + " was interrupted.", stopped);
                }
            }
        }
    }

    private void start() {
        var started = started();
        if (!started.hasSynced()) {
            try {
                started.start().toCompletableFuture().get(LONGEST_SYNC.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new RuntimeFailure("Waiting for Kubernetes was interrupted.", stopped);
            } catch (ExecutionException | TimeoutException silent) {
                throw new RuntimeFailure("Kubernetes does not tell of this installation's objects: " + silent, silent);
            }
        }
    }

    private synchronized SharedIndexInformer<T> started() {
        if (informer == null) {
            informer = source.get();
            // Goes on trying, also when the cluster was never reached.
            informer.exceptionHandler((_, _) -> true);
            informer.addEventHandler(new Events());
        }
        return informer;
    }

    @Override
    public synchronized void close() {
        if (informer != null) {
            informer.close();
        }
    }

    private void told(T object) {
        synchronized (this) {
            objects.put(object.getMetadata().getName(), object);
            notifyAll();
        }
        listener.accept(object, false);
    }

    private void gone(T last) {
        // Before anybody asks why it is not there.
        listener.accept(last, true);
        synchronized (this) {
            objects.remove(last.getMetadata().getName());
            notifyAll();
        }
    }

    private final class Events implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            told(object);
        }

        @Override
        public void onUpdate(T before, T object) {
            told(object);
        }

        @Override
        public void onDelete(T last, boolean lastStateUnknown) {
            gone(last);
        }
    }
}
