package io.bivouac.benchmarks;

import io.bivouac.foundation.fixture.TestStack;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A project behind the server and one in the bare database, with a connection to either for each client. */
final class TwinProjects implements AutoCloseable {
    private static final int LIMIT = 1000;
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

    private final List<Connection> connections = new ArrayList<>();
    private final List<BareDatabase.Session> sessions = new ArrayList<>();

    /** What a client does over HTTP. */
    @FunctionalInterface
    interface Ours {
        void act(Connection connection) throws Exception;
    }

    /** What a client does by JDBC alone. */
    @FunctionalInterface
    interface Bare {
        void act(BareDatabase.Session session) throws Exception;
    }

    record Turn(Latencies ours, Latencies bare) {}

    private TwinProjects() {}

    static TwinProjects make(int port, BareDatabase bare, String name, int clients) throws Exception {
        bare.addProject(name);
        var made = new TwinProjects();
        try (var system = new Connection(port, TestStack.API_KEY);
                var admin = new Connection(port, keyIn(system.post("/api/v1/projects", project(name))))) {
            for (int i = 0; i < clients; i++) {
                // A key of its own: each is held to its rate.
                var key = keyIn(admin.post("/api/v1/keys", "{\"name\":\"k" + i + "\",\"role\":\"developer\"}"));
                made.connections.add(new Connection(port, key));
                made.sessions.add(bare.session(name));
            }
        }
        return made;
    }

    private static String project(String name) {
        return "{\"name\":\"" + name + "\",\"sandboxLimit\":" + LIMIT + "}";
    }

    private static String keyIn(Connection.Answer answer) {
        var key = KEY.matcher(answer.body());
        if (!key.find()) {
            throw new IllegalStateException("no key in " + answer.body());
        }
        return key.group(1);
    }

    static void create(Connection connection) throws Exception {
        connection.post(Sandboxes.PATH, Sandboxes.DEFAULT).mustBe(201);
    }

    /** Gives each so many sandboxes, and the id of one that the server knows. */
    String fill(int count) throws Exception {
        for (var session : sessions) {
            for (int i = 0; i < count / sessions.size() + 1; i++) {
                session.create();
            }
        }
        return new Sandboxes(connections.getFirst()).createIds(count).getFirst();
    }

    /** So many operations on either side, which the clients share. */
    Turn turn(int operations, Ours ours, Bare bare) throws Exception {
        var bareTimes = Load.run(
                operations,
                sessions.stream()
                        .<Load.Client>map(session -> () -> bare.act(session))
                        .toList());
        var oursTimes = Load.run(
                operations,
                connections.stream()
                        .<Load.Client>map(connection -> () -> ours.act(connection))
                        .toList());
        return new Turn(oursTimes, bareTimes);
    }

    @Override
    public void close() throws Exception {
        for (var connection : connections) {
            connection.close();
        }
        for (var session : sessions) {
            session.close();
        }
    }
}
