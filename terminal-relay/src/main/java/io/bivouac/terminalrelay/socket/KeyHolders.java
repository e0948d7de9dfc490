package io.bivouac.terminalrelay.socket;

import io.bivouac.foundation.access.ApiKey;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.sandboxmodel.error.ErrorCode;
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
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is connected with which API key: a key that is revoked closes what it has opened. Thread-safe. */
@Singleton
class KeyHolders {
    private static final Logger LOG = LoggerFactory.getLogger(KeyHolders.class);
    private static final String REVOKED = "The key was revoked.";

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

    /**
     * Lets a client in when its key still works. It may have been revoked between its check and here, when nobody was
     * listening yet: so nothing is passed on before it is looked up once more. Guests have no key; whether they may
     * stay is for their Pod to say.
     */
    void admit(Caller caller, Channel channel, Client client, Runnable open) {
        var id = caller.id();
        if (!id.startsWith(ApiKey.PREFIX)) {
            open.run();
            return;
        }
        add(id, channel, client);
        try {
            threads.execute(() -> openUnlessRevoked(id, client, open));
        } catch (RejectedExecutionException stopping) {
            channel.close();
        }
    }

    private void openUnlessRevoked(String id, Client client, Runnable open) {
        try {
            if (keys.holder(id).isPresent()) {
                open.run();
            } else {
                client.close(WebSocketCloseStatus.POLICY_VIOLATION, REVOKED);
            }
        } catch (RuntimeException failed) {
            LOG.warn("{}: a client could not be let in", id, failed);
            client.close(WebSocketCloseStatus.TRY_AGAIN_LATER, ErrorCode.UNAVAILABLE.title());
        }
    }

    private void add(String id, Channel channel, Client client) {
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
    }

    private void look(String id) {
        if (keys.holder(id).isEmpty()) {
            connected
                    .getOrDefault(id, Map.of())
                    .values()
                    .forEach(client -> client.close(WebSocketCloseStatus.POLICY_VIOLATION, REVOKED));
        }
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
