package io.bivouac.agentlink.testing;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.KeyText;
import io.bivouac.foundation.access.LimitChange;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.lifecycle.StateWatch;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.Lifetime;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.transaction.TransactionOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A relay on any free port, with a folder of its own for agents' sockets. */
public final class TestRelay implements AutoCloseable {
    public static final String KEY = "bvk_test-system-key-0123456789";
    private static final String SECRET = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    private final EmbeddedServer server;
    private final Path sockets;

    private TestRelay(EmbeddedServer server, Path sockets) {
        this.server = server;
        this.sockets = sockets;
    }

    public static TestRelay start() {
        return start(Map.of());
    }

    public static TestRelay start(Map<String, Object> changes) {
        try {
            return start(Files.createTempDirectory("relay-sockets"), changes);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One more relay for the same agents. */
    public static TestRelay start(Path sockets, Map<String, Object> changes) {
        var properties = new HashMap<String, Object>(Map.of(
                "bivouac.secret-key",
                SECRET,
                "bivouac.api-key",
                KEY,
                "bivouac.agent.socket-folder",
                sockets.toString(),
                "micronaut.server.port",
                -1,
                "bivouac.terminal.total",
                100_000,
                "micronaut.server.semicolon-is-normal-char",
                true));
        properties.put("micronaut.server.cors.localhost-pass-through", true);
        properties.put(
                "bivouac.data-dir",
                sockets.resolveSibling(sockets.getFileName() + "-data").toString());
        // Terminals of other tests in the same project do not count.
        properties.put("bivouac.terminal.most", 100_000);
        properties.put("bivouac.terminal.sessions-per-project", 100_000);
        properties.put("bivouac.project.terminals", 100_000);
        properties.put("bivouac.terminal.per-sandbox", 10_000);
        properties.putAll(changes);
        properties.computeIfAbsent("bivouac.database.url", _ -> TestDatabase.url());
        return new TestRelay(ApplicationContext.run(EmbeddedServer.class, properties), sockets);
    }

    public <T> T bean(Class<T> type) {
        return server.getApplicationContext().getBean(type);
    }

    /** What a relay needs to meet agents and other relays by TLS, on any free port of this machine. */
    public static Map<String, Object> byTls() {
        return Map.of("bivouac.agent.port", 0, "bivouac.agent.host", "127.0.0.1", "bivouac.encryption-key", SECRET);
    }

    /** How an agent finds these TLS ports of relays, as its configuration has it. */
    public static String addresses(Path authority, int... ports) {
        var addresses = IntStream.of(ports)
                .mapToObj("\"https://127.0.0.1:%d\""::formatted)
                .collect(Collectors.joining(", "));
        return "{\"addresses\": [%s], \"caFile\": \"%s\"}".formatted(addresses, authority);
    }

    public Path sockets() {
        return sockets;
    }

    public Caller caller() {
        return bean(ApiKeys.class).authenticate(new KeyText(KEY)).orElseThrow();
    }

    /** A sandbox's row, as it is before its agent comes. */
    public SandboxId sandbox() {
        return sandbox(Map.of());
    }

    public SandboxId sandbox(Map<String, String> labels) {
        return sandbox("default", labels);
    }

    public SandboxId sandbox(String template, Map<String, String> labels) {
        return sandbox(caller().project(), new Definition(template, null, Resources.DEFAULT, Map.of(), labels, null));
    }

    /** One with a name. */
    public SandboxId sandboxNamed(String name) {
        return sandbox(
                caller().project(), new Definition("default", name, Resources.DEFAULT, Map.of(), Map.of(), null));
    }

    /** A new project and its admin's key. */
    public Projects.Made project(LimitChange limits) {
        return bean(Projects.class).make(caller(), "p-" + UUID.randomUUID(), limits);
    }

    /** One of another project. */
    public SandboxId sandboxOf(Projects.Made made) {
        return sandbox(
                made.project().id(), new Definition("default", null, Resources.DEFAULT, Map.of(), Map.of(), null));
    }

    private SandboxId sandbox(String project, Definition definition) {
        var store = bean(SandboxStore.class);
        var now = store.now();
        var id = SandboxId.next();
        store.add(new Sandbox(
                id,
                project,
                definition,
                new Placement("none", "here"),
                Status.of(SandboxState.STARTING, now),
                Lifetime.startingAt(now, Duration.ofHours(1)),
                now,
                0,
                0));
        return id;
    }

    public RealAgent agent(SandboxId id) {
        return agent(id, "{}");
    }

    /** Starts the sandbox's agent and waits until the sandbox runs. */
    public RealAgent agent(SandboxId id, String limits) {
        var agent = RealAgent.start(sockets, id, bean(SandboxTokens.class).joinToken(id), limits);
        await(id, SandboxState.RUNNING);
        return agent;
    }

    public Sandbox await(SandboxId id, SandboxState state) {
        var sandbox = bean(StateWatch.class).await(id, found -> found.state() == state, Duration.ofSeconds(20));
        if (sandbox.state() != state) {
            throw new AssertionError("still " + sandbox.state() + ", not " + state);
        }
        return sandbox;
    }

    /** Somebody new in the same project: terminals of other tests do not count for them. */
    public Http newcomer() {
        return http(bean(ApiKeys.class)
                .make(caller(), "newcomer", Role.ADMIN, false)
                .text()
                .value());
    }

    public String url() {
        return server.getURL().toString();
    }

    public Http http() {
        return new Http(server.getURL().toString(), KEY);
    }

    public Http http(String key) {
        return new Http(server.getURL().toString(), key);
    }

    /** Changes the database behind the relay's back. */
    public void statement(String sql) {
        inTransaction(sql, () -> {});
    }

    /** Meanwhile whoever asks the table has to wait. */
    public void whileLocked(String table, Runnable act) {
        inTransaction("LOCK TABLE " + table, act);
    }

    @SuppressWarnings("unchecked")
    private void inTransaction(String sql, Runnable act) {
        TransactionOperations<Connection> transactions = bean(TransactionOperations.class);
        transactions.executeWrite(status -> {
            try (var statement = status.getConnection().createStatement()) {
                statement.execute(sql);
                act.run();
                return null;
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    /** The first column of what a question gives. */
    @SuppressWarnings("unchecked")
    public List<String> texts(String question) {
        TransactionOperations<Connection> transactions = bean(TransactionOperations.class);
        return transactions.executeRead(status -> {
            try (var statement = status.getConnection().createStatement();
                    var rows = statement.executeQuery(question)) {
                var texts = new ArrayList<String>();
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
                return texts;
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    /** Every row of every table, as text. */
    @SuppressWarnings("unchecked")
    public String wholeDatabase() {
        TransactionOperations<Connection> transactions = bean(TransactionOperations.class);
        return transactions.executeRead(status -> {
            var all = new StringBuilder();
            try (var statement = status.getConnection().createStatement();
                    var tables = statement.executeQuery("""
                            SELECT query_to_xml(format('SELECT * FROM %I', table_name), true, false, '')::text
                            FROM information_schema.tables
                            WHERE table_schema = 'public' AND table_type = 'BASE TABLE'""")) {
                while (tables.next()) {
                    all.append(tables.getString(1));
                }
                return all.toString();
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    @Override
    public void close() {
        server.getApplicationContext().close();
    }
}
