package io.bivouac.functions.event;

import io.bivouac.foundation.access.ApiKey;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.changefeed.ChangeFeed;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Which streams were opened with which key: a key that is revoked ends them. Thread-safe. */
@Singleton
class StreamKeys {
    private final ApiKeys keys;
    private final Map<String, Set<Sinks.Empty<Void>>> ends = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    StreamKeys(ApiKeys keys, ChangeFeed feed) {
        this.keys = keys;
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (ends.containsKey(id)) {
                    threads.execute(() -> look(id));
                }
            }

            @Override
            public void reconnected() {
                List.copyOf(ends.keySet()).forEach(id -> threads.execute(() -> look(id)));
            }
        });
    }

    /** The same stream, until the caller's key is revoked. */
    <T> Flux<T> whileValid(Caller caller, Flux<T> stream) {
        var id = caller.id();
        if (!id.startsWith(ApiKey.PREFIX)) {
            return stream;
        }
        return Flux.defer(() -> {
            var end = Sinks.<Void>empty();
            ends.compute(id, (_, present) -> {
                var all = present == null ? ConcurrentHashMap.<Sinks.Empty<Void>>newKeySet() : present;
                all.add(end);
                return all;
            });
            // It may have been revoked between its check and here, when nobody was listening yet.
            threads.execute(() -> look(id));
            return stream.takeUntilOther(end.asMono())
                    .doFinally(_ -> ends.computeIfPresent(id, (_, all) -> {
                        all.remove(end);
                        return all.isEmpty() ? null : all;
                    }));
        });
    }

    private void look(String id) {
        if (keys.holder(id).isEmpty()) {
            ends.getOrDefault(id, Set.of()).forEach(Sinks.Empty::tryEmitEmpty);
        }
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
