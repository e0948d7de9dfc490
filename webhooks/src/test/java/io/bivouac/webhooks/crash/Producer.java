package io.bivouac.webhooks.crash;

import io.bivouac.sandboxes.access.ApiKeys;
import io.bivouac.sandboxes.access.KeyText;
import io.bivouac.sandboxes.access.Projects;
import io.bivouac.sandboxes.database.DatabaseUrl;
import io.bivouac.sandboxes.fixture.Drafts;
import io.bivouac.sandboxes.fixture.TestStack;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.transition.Happening.AgentRegistered;
import io.bivouac.webhooks.fixture.Api;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Changes sandboxes, without a Kafka of its own: only the messenger's process carries what it says there. */
final class Producer implements AutoCloseable {
    private static final int MOST_FAILURES = 100;

    private final EmbeddedServer server;
    private final DatabaseUrl database;
    private final Path ledger;
    private final Api api;

    private Producer(EmbeddedServer server, DatabaseUrl database, Path ledger, Api api) {
        this.server = server;
        this.database = database;
        this.ledger = ledger;
        this.api = api;
    }

    static Producer start(CrashStack stack) throws IOException {
        EmbeddedServer server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "bivouac.database.url",
                        stack.postgres().url(),
                        "bivouac.secret-key",
                        TestStack.SECRET_KEY,
                        "bivouac.secrets-key",
                        TestStack.SECRETS_KEY,
                        "bivouac.api-key",
                        TestStack.API_KEY,
                        "bivouac.webhook-allow",
                        "127.0.0.0/8",
                        "micronaut.server.port",
                        -1));
        var context = server.getApplicationContext();
        var admin = context.getBean(ApiKeys.class)
                .authenticate(new KeyText(TestStack.API_KEY))
                .orElseThrow();
        var project = context.getBean(Projects.class).make(admin, "ledger", 10_000);
        var api = new Api(
                URI.create(server.getURL().toString()),
                project.firstKey().value(),
                project.project().id());
        return new Producer(
                server,
                DatabaseUrl.parse(stack.postgres().url()),
                Files.createFile(stack.folder().resolve("producer.ledger")),
                api);
    }

    /** Its secret. */
    String endpoint(String url, boolean fifo) {
        return api.endpoint(url, "\"fifo\":" + fifo, "\"retry\":\"long\"").text("/secret");
    }

    /** So many sandboxes with a few changes each; each that is answered is on the list. */
    void produce(int sandboxes) throws IOException, SQLException, InterruptedException {
        var store = server.getApplicationContext().getBean(SandboxStore.class);
        int failures = 0;
        for (int made = 0; made < sandboxes; ) {
            try {
                var sandbox = store.add(Drafts.starting(api.project()));
                store.on(sandbox.id(), new AgentRegistered("v1"));
                store.on(sandbox.id(), new AgentRegistered("v2"));
                write(eventsOf(sandbox.id().value()));
                made++;
            } catch (RuntimeException databaseAway) {
                // Its connections died with the database. Whether this change is committed, the events' table knows.
                if (++failures > MOST_FAILURES) {
                    throw databaseAway;
                }
                Thread.sleep(100);
            }
        }
    }

    private void write(Set<String> events) throws IOException {
        try (var file = FileChannel.open(ledger, StandardOpenOption.APPEND)) {
            file.write(StandardCharsets.UTF_8.encode(String.join("\n", events) + "\n"));
            file.force(true);
        }
    }

    List<String> ledger() throws IOException {
        return Files.readAllLines(ledger);
    }

    /** Everything that was said in the project. */
    Set<String> events() throws SQLException {
        return ids("SELECT id FROM events WHERE project_id = ?", api.project());
    }

    private Set<String> eventsOf(String sandbox) throws SQLException {
        return ids("SELECT id FROM events WHERE subject = ?", sandbox);
    }

    private Set<String> ids(String sql, String parameter) throws SQLException {
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.driverProperties());
                var statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            var ids = new HashSet<String>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return ids;
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
