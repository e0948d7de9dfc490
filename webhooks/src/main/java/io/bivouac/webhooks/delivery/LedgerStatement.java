package io.bivouac.webhooks.delivery;

import io.bivouac.events.EventType;
import io.bivouac.webhooks.delivery.Outcome.State;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes many outcomes in one statement. A row that is there already is only moved on, never back. */
final class LedgerStatement {
    /** Attempts that a row remembers. */
    static final int REMEMBERED = 20;

    /** Nobody else keeps what a test said; other events can be read from their table again. */
    private static final String TEST = EventType.WEBHOOK_TEST.wireName();

    /** Somebody has asked for another attempt since this one began: it is remembered, and settles nothing. */
    private static final String OVERTAKEN = "d.state = 'waiting' AND d.replays > excluded.replays";

    private static final String WRITE = """
            INSERT INTO webhook_deliveries AS d (id, project_id, endpoint_id, event_id, type, subject, state, attempts,
                due_at, envelope, log, replays, created_at, updated_at)
            SELECT u.id, u.project, u.endpoint, u.event, u.type, u.subject, u.state,
                u.tried,
                CASE WHEN u.state = 'waiting' THEN now() + u.delay * interval '1 millisecond' END,
                u.envelope,
                CASE WHEN u.attempt IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(u.attempt::jsonb) END,
                u.replays, now(), now()
            FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                ?::text[], ?::text[], ?::integer[], ?::integer[])
                AS u(id, project, endpoint, event, type, subject, state, delay, envelope, attempt, tried, replays)
            ON CONFLICT (id) DO UPDATE SET
                state = CASE WHEN {overtaken} THEN d.state
                    WHEN excluded.state = 'delivered' OR d.state = 'waiting' THEN excluded.state
                    ELSE d.state END,
                attempts = CASE WHEN {overtaken} THEN d.attempts ELSE d.attempts + excluded.attempts END,
                due_at = CASE WHEN {overtaken} THEN d.due_at WHEN d.state = 'waiting' THEN excluded.due_at END,
                envelope = CASE WHEN {overtaken} THEN d.envelope
                    WHEN (excluded.state = 'delivered' OR d.state = 'delivered') AND d.type <> '{test}' THEN NULL
                    ELSE coalesce(d.envelope, excluded.envelope) END,
                log = CASE WHEN jsonb_array_length(d.log) >= {remembered} THEN d.log - 0 ELSE d.log END || excluded.log,
                updated_at = now()
            WHERE excluded.attempts <> 0""".replace("{overtaken}", OVERTAKEN)
            .replace("{test}", TEST)
            .replace("{remembered}", Integer.toString(REMEMBERED));

    /** Claimed and not tried: due again. Where the row was dropped for its age, there is nothing to give back. */
    private static final String GIVE_BACK = """
            UPDATE webhook_deliveries SET due_at = now(), updated_at = now()
            WHERE id = ANY (?::text[]) AND state = 'waiting'""";

    private final JsonMapper json;

    LedgerStatement(JsonMapper json) {
        this.json = json;
    }

    /** No delivery may be there twice: one statement changes a row once. */
    void execute(Connection connection, List<Outcome> outcomes) throws SQLException {
        var sides = outcomes.stream().collect(Collectors.partitioningBy(LedgerStatement::isGivenBack));
        if (!sides.get(true).isEmpty()) {
            giveBack(connection, sides.get(true));
        }
        if (!sides.get(false).isEmpty()) {
            write(connection, sides.get(false));
        }
    }

    private static boolean isGivenBack(Outcome outcome) {
        return outcome.attempt() == null && outcome.delivery().claimed();
    }

    private static void giveBack(Connection connection, List<Outcome> outcomes) throws SQLException {
        try (var statement = connection.prepareStatement(GIVE_BACK)) {
            statement.setArray(1, texts(connection, outcomes, o -> o.delivery().id()));
            statement.executeUpdate();
        }
    }

    private void write(Connection connection, List<Outcome> outcomes) throws SQLException {
        try (var statement = connection.prepareStatement(WRITE)) {
            int index = 1;
            statement.setArray(
                    index++, texts(connection, outcomes, o -> o.delivery().id()));
            statement.setArray(
                    index++,
                    texts(connection, outcomes, o -> o.delivery().event().project()));
            statement.setArray(
                    index++,
                    texts(connection, outcomes, o -> o.delivery().endpoint().id()));
            statement.setArray(
                    index++,
                    texts(connection, outcomes, o -> o.delivery().event().id()));
            statement.setArray(
                    index++,
                    texts(connection, outcomes, o -> o.delivery().event().type()));
            statement.setArray(
                    index++,
                    texts(connection, outcomes, o -> o.delivery().event().subject()));
            statement.setArray(index++, texts(connection, outcomes, o -> wireName(o.state())));
            statement.setArray(
                    index++,
                    connection.createArrayOf(
                            "bigint",
                            outcomes.stream().map(Outcome::delayMillis).toArray()));
            statement.setArray(index++, texts(connection, outcomes, LedgerStatement::envelope));
            statement.setArray(index++, texts(connection, outcomes, this::attempt));
            statement.setArray(index++, numbers(connection, outcomes, o -> o.attempt() == null ? 0 : 1));
            statement.setArray(
                    index, numbers(connection, outcomes, o -> o.delivery().replays()));
            statement.executeUpdate();
        }
    }

    private static String envelope(Outcome outcome) {
        return outcome.state() == State.DELIVERED
                ? null
                : new String(outcome.delivery().event().envelope(), StandardCharsets.UTF_8);
    }

    private String attempt(Outcome outcome) {
        try {
            return outcome.attempt() == null ? null : json.writeValueAsString(outcome.attempt());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Array texts(Connection connection, List<Outcome> outcomes, Function<Outcome, String> column)
            throws SQLException {
        return connection.createArrayOf("text", outcomes.stream().map(column).toArray());
    }

    private static Array numbers(Connection connection, List<Outcome> outcomes, Function<Outcome, Integer> column)
            throws SQLException {
        return connection.createArrayOf("integer", outcomes.stream().map(column).toArray());
    }

    static String wireName(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
