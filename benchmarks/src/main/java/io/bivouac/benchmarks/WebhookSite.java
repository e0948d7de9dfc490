package io.bivouac.benchmarks;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.KeyText;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** A project with endpoints, a control plane to manage them, and messengers that come and go. */
final class WebhookSite implements AutoCloseable {
    private static final String PATH = "/api/v1/webhooks/endpoints";
    private static final Pattern ID = Pattern.compile("\"id\":\"(whe_[^\"]+)\"");
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int WARM_UP = 200;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(3);

    private final EmbeddedServer server;
    private final String key;
    private final String project;
    private final String group = "benchmark-" + UUID.randomUUID();
    private final ArrayList<String> endpoints = new ArrayList<>();

    WebhookSite() {
        server = ApplicationContext.run(EmbeddedServer.class, properties(Map.of("bivouac.webhooks.dispatch", false)));
        var context = server.getApplicationContext();
        var admin = context.getBean(ApiKeys.class)
                .authenticate(new KeyText(TestStack.API_KEY))
                .orElseThrow();
        var made = context.getBean(Projects.class).make(admin, group, 100_000);
        key = made.firstKey().value();
        project = made.project().id();
    }

    private Map<String, Object> properties(Map<String, Object> more) {
        var properties = TestStack.get().propertiesWithKafka();
        properties.put("micronaut.server.port", -1);
        properties.put("bivouac.runtime", "memory");
        properties.put("bivouac.host-name", "benchmark-host");
        properties.put("bivouac.webhook-allow", "127.0.0.0/8");
        properties.put("bivouac.webhooks.group", group);
        properties.putAll(more);
        return properties;
    }

    String project() {
        return project;
    }

    String endpoint(String url) throws IOException {
        try (var connection = new Connection(server.getPort(), key)) {
            var answer = connection
                    .post(PATH, "{\"url\":\"" + url + "\"}")
                    .mustBe(201)
                    .body();
            var id = ID.matcher(answer);
            if (!id.find()) {
                throw new IllegalStateException(answer);
            }
            endpoints.add(id.group(1));
            return id.group(1);
        }
    }

    void enable(String endpoint, boolean enabled) throws SQLException {
        execute("UPDATE webhook_endpoints SET enabled = " + enabled + ", disabled_reason = "
                + (enabled ? "NULL" : "'user'") + " WHERE id = '" + endpoint + "'");
    }

    void awaitWaiting(int count) throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + LONGEST_NANOS;
        var sql = "SELECT count(*) FROM webhook_deliveries WHERE project_id = '" + project + "' AND state = 'waiting'";
        while (number(sql) < count) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("only " + number(sql) + " deliveries were parked");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** A messenger for this site alone: it has a consumer group of its own, and sees only its own project's endpoints. */
    Messenger messenger() {
        return new Messenger(ApplicationContext.run(properties(Map.of())));
    }

    /** Changes a sandbox 50 times a second; how long each change takes to reach a receiver. */
    Latencies paced(Messenger messenger, int changes) throws Exception {
        Map<String, Long> receivedAt = new ConcurrentHashMap<>();
        try (var receiver = WebhookReceiver.answering(id -> receivedAt.putIfAbsent(id, System.nanoTime()))) {
            var endpoint = endpoint(receiver.url());
            var store = messenger.context().getBean(SandboxStore.class);
            var sandbox = store.add(Drafts.starting(project)).id();
            var committedAt = new HashMap<Long, Long>();
            long next = System.nanoTime();
            long sequence = store.on(sandbox, new AgentRegistered("first")).sequence();
            for (int i = 0; i < changes + WARM_UP; i++) {
                next += PACE_NANOS;
                LockSupport.parkNanos(next - System.nanoTime());
                sequence = store.on(sandbox, new AgentRegistered("v" + i)).sequence();
                if (i >= WARM_UP) {
                    committedAt.put(sequence, System.nanoTime());
                }
            }
            var measured = eventIds(sandbox.value());
            measured.keySet().retainAll(committedAt.keySet());
            await("every change", () -> receivedAt.keySet().containsAll(measured.values()));
            var times = new ArrayList<Long>();
            measured.forEach((number, id) -> times.add(Math.max(0, receivedAt.get(id) - committedAt.get(number))));
            delete(endpoint);
            return Latencies.of(times, changes * PACE_NANOS);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(what + " was not received");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private Map<Long, String> eventIds(String subject) throws SQLException {
        var ids = new HashMap<Long, String>();
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.prepareStatement("SELECT sequence, id FROM events WHERE subject = ?")) {
            statement.setString(1, subject);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.put(rows.getLong(1), rows.getString(2));
                }
            }
        }
        return ids;
    }

    private static long number(String sql) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(String sql) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void delete(String endpoint) throws IOException {
        try (var connection = new Connection(server.getPort(), key)) {
            connection.delete(PATH + "/" + endpoint).mustBe(204);
        }
    }

    @Override
    public void close() throws IOException, SQLException {
        execute("UPDATE webhook_endpoints SET deleted_at = now() WHERE project_id = '" + project + "'");
        server.close();
    }

    /** One running messenger. */
    record Messenger(ApplicationContext context) implements AutoCloseable {
        /** Returns when so many have been received: the time of the last. */
        long awaitDelivered(WebhookReceiver receiver, long count) {
            long deadline = System.nanoTime() + LONGEST_NANOS;
            while (receiver.count() < count) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("only " + receiver.count() + " of " + count + " were received");
                }
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            }
            return receiver.lastAt();
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
