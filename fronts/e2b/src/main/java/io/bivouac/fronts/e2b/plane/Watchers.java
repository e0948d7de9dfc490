package io.bivouac.fronts.e2b.plane;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.json.tree.JsonNode;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Watches whose events are kept until they are asked for. One that nobody asks ends, and so does one with too many
 * events. Each holds one of the sandbox's watches, so a sandbox has few. Thread-safe.
 */
@Singleton
class Watchers {
    static final int MOST_EVENTS = 10_000;
    static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(5);

    private final Map<String, Watcher> all = new ConcurrentHashMap<>();

    /** The events of one folder. */
    private static final class Watcher {
        private final String sandbox;
        private final Queue<JsonNode> events = new ArrayDeque<>();
        private final Disposable.Composite watching = Disposables.composite();
        private final Disposable.Swap forgetting = Disposables.swap();

        Watcher(String sandbox) {
            this.sandbox = sandbox;
            watching.add(forgetting);
        }

        synchronized boolean add(JsonNode event) {
            return events.size() < MOST_EVENTS && events.add(event);
        }

        synchronized List<JsonNode> take() {
            var taken = new ArrayList<>(events);
            events.clear();
            return taken;
        }
    }

    String add(String sandbox, Flux<JsonNode> events) {
        var id = UUID.randomUUID().toString();
        var watcher = new Watcher(sandbox);
        all.put(id, watcher);
        watcher.watching.add(events.doFinally(_ -> end(id))
                .subscribe(
                        event -> {
                            if (!watcher.add(event)) {
                                end(id);
                            }
                        },
                        _ -> end(id)));
        keep(id, watcher);
        return id;
    }

    private void keep(String id, Watcher watcher) {
        watcher.forgetting.update(Mono.delay(FORGOTTEN_AFTER).subscribe(_ -> end(id)));
    }

    /** What has happened since the last call. */
    List<JsonNode> take(String sandbox, String id) {
        var watcher = all.get(id);
        if (watcher == null || !watcher.sandbox.equals(sandbox)) {
            throw new BivouacException(ErrorCode.NOT_FOUND, "There is no watcher " + id + ".");
        }
        keep(id, watcher);
        return watcher.take();
    }

    void remove(String sandbox, String id) {
        take(sandbox, id);
        end(id);
    }

    private void end(String id) {
        var watcher = all.remove(id);
        if (watcher != null) {
            watcher.watching.dispose();
        }
    }

    @PreDestroy
    void close() {
        all.keySet().forEach(this::end);
    }
}
