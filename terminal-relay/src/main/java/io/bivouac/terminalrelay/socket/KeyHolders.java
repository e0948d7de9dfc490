package io.bivouac.terminalrelay.socket;

import io.bivouac.foundation.access.ApiKey;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.terminalrelay.terminal.Client;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Who is connected with which API key: a key that is revoked closes what it has opened. Thread-safe. */
@Singleton
class KeyHolders {
    private final ApiKeys keys;
    private final Map<String, Map<Channel, Client>> connected = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    KeyHolders(ApiKeys keys, ChangeFeed feed) {
        this.keys = keys;
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (connected.containsKey(id)) {
                    threads.execute(() -> look(id));
                }
            }

            @Override
            public void reconnected() {
                List.copyOf(connected.keySet()).forEach(id -> threads.execute(() -> look(id)));
            }
        });
    }

    /** Guests have no key; whether they may stay is for their Pod to say. */
    void add(Caller caller, Channel channel, Client client) {
        var id = caller.id();
        if (!id.startsWith(ApiKey.PREFIX)) {
            return;
        }
        connected.compute(id, (_, present) -> {
            var clients = present == null ? new ConcurrentHashMap<Channel, Client>() : present;
            clients.put(channel, client);
            return clients;
        });
        channel.closeFuture()
                .addListener(_ -> connected.computeIfPresent(id, (_, clients) -> {
                    clients.remove(channel);
                    return clients.isEmpty() ? null : clients;
                }));
        // It may have been revoked between its check and here, when nobody was listening yet.
        threads.execute(() -> look(id));
    }

    private void look(String id) {
        if (keys.holder(id).isEmpty()) {
            connected
                    .getOrDefault(id, Map.of())
                    .values()
                    .forEach(client -> client.close(WebSocketCloseStatus.POLICY_VIOLATION, "The key was revoked."));
        }
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
