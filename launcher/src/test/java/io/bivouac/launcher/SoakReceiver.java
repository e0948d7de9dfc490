package io.bivouac.launcher;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** A receiver of webhooks that remembers which events it was told of. */
final class SoakReceiver implements AutoCloseable {
    final Set<String> events = ConcurrentHashMap.newKeySet();
    final LongAdder requests = new LongAdder();
    private final HttpServer server;

    private SoakReceiver(HttpServer server) {
        this.server = server;
    }

    static SoakReceiver open() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var receiver = new SoakReceiver(server);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            receiver.events.add(exchange.getRequestHeaders().getFirst("webhook-id"));
            receiver.requests.increment();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        return receiver;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
