package io.bivouac.sandboxes.store;

import static io.bivouac.sandboxes.store.SandboxColumn.AGENT_CONNECTED;
import static io.bivouac.sandboxes.store.SandboxColumn.ANNOUNCED;
import static io.bivouac.sandboxes.store.SandboxColumn.AUTO_RESUME;
import static io.bivouac.sandboxes.store.SandboxColumn.CPU;
import static io.bivouac.sandboxes.store.SandboxColumn.CREATED_AT;
import static io.bivouac.sandboxes.store.SandboxColumn.DISK_BYTES;
import static io.bivouac.sandboxes.store.SandboxColumn.EGRESS;
import static io.bivouac.sandboxes.store.SandboxColumn.EGRESS_ASK;
import static io.bivouac.sandboxes.store.SandboxColumn.ENVS;
import static io.bivouac.sandboxes.store.SandboxColumn.EXPIRES_AT;
import static io.bivouac.sandboxes.store.SandboxColumn.FILES_UNTIL;
import static io.bivouac.sandboxes.store.SandboxColumn.HOST;
import static io.bivouac.sandboxes.store.SandboxColumn.ID;
import static io.bivouac.sandboxes.store.SandboxColumn.KEEP_WORKSPACE;
import static io.bivouac.sandboxes.store.SandboxColumn.KEPT_UNTIL;
import static io.bivouac.sandboxes.store.SandboxColumn.LABELS;
import static io.bivouac.sandboxes.store.SandboxColumn.MEMORY_BYTES;
import static io.bivouac.sandboxes.store.SandboxColumn.NAME;
import static io.bivouac.sandboxes.store.SandboxColumn.NESTED_SANDBOX;
import static io.bivouac.sandboxes.store.SandboxColumn.NOTICE_AT;
import static io.bivouac.sandboxes.store.SandboxColumn.ON_EXPIRY;
import static io.bivouac.sandboxes.store.SandboxColumn.PROJECT_ID;
import static io.bivouac.sandboxes.store.SandboxColumn.RUNTIME;
import static io.bivouac.sandboxes.store.SandboxColumn.SEQUENCE;
import static io.bivouac.sandboxes.store.SandboxColumn.STATE;
import static io.bivouac.sandboxes.store.SandboxColumn.STATE_REASON;
import static io.bivouac.sandboxes.store.SandboxColumn.STATE_SINCE;
import static io.bivouac.sandboxes.store.SandboxColumn.STOP_REASON;
import static io.bivouac.sandboxes.store.SandboxColumn.TEARDOWN;
import static io.bivouac.sandboxes.store.SandboxColumn.TEMPLATE;
import static io.bivouac.sandboxes.store.SandboxColumn.TIMEOUT_SECONDS;
import static io.bivouac.sandboxes.store.SandboxColumn.UPDATED_AT;
import static io.bivouac.sandboxes.store.SandboxColumn.VERSION;
import static io.bivouac.sandboxes.store.SandboxColumn.WORKSPACE;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Between rows of the table and {@link SandboxRow}. Thread-safe. */
@Singleton
class SandboxMapper {
    static final String SELECT = select(SandboxColumn::sql);

    /** For many rows at once: nobody looks at their environments, which may be large. */
    static final String SELECT_WITHOUT_ENVS =
            select(column -> column == ENVS ? "CAST('{}' AS jsonb) AS envs" : column.sql());

    /** Changes no row when somebody else has changed it since it was read. */
    static final String UPDATE = "UPDATE sandboxes SET "
            + SandboxColumn.CHANGING.stream()
                    .map(column -> column.sql() + (column == EGRESS ? " = ?::jsonb" : " = ?"))
                    .collect(Collectors.joining(", "))
            + " WHERE id = ? AND version = ?";

    private static final Argument<Map<String, String>> WORDS = Argument.mapOf(String.class, String.class);
    private static final Argument<List<String>> HOSTS = Argument.listOf(String.class);

    private final JsonMapper json;

    SandboxMapper(JsonMapper json) {
        this.json = json;
    }

    private static String select(Function<SandboxColumn, String> expression) {
        return SandboxColumn.ALL.stream()
                .map(expression)
                .collect(Collectors.joining(", ", "SELECT ", " FROM sandboxes "));
    }

    SandboxRow read(ResultSet row) throws SQLException {
        return new SandboxRow(
                text(row, ID),
                text(row, PROJECT_ID),
                text(row, NAME),
                text(row, TEMPLATE),
                row.getDouble(CPU.position()),
                number(row, MEMORY_BYTES),
                number(row, DISK_BYTES),
                words(text(row, ENVS)),
                words(text(row, LABELS)),
                text(row, WORKSPACE),
                hosts(text(row, EGRESS)),
                isTrue(row, EGRESS_ASK),
                isTrue(row, NESTED_SANDBOX),
                isTrue(row, AUTO_RESUME),
                text(row, RUNTIME),
                text(row, HOST),
                text(row, STATE),
                text(row, STATE_REASON),
                text(row, STOP_REASON),
                text(row, TEARDOWN),
                isTrue(row, KEEP_WORKSPACE),
                time(row, STATE_SINCE),
                isTrue(row, AGENT_CONNECTED),
                time(row, CREATED_AT),
                time(row, UPDATED_AT),
                time(row, EXPIRES_AT),
                number(row, TIMEOUT_SECONDS),
                isTrue(row, ANNOUNCED),
                time(row, NOTICE_AT),
                time(row, KEPT_UNTIL),
                text(row, ON_EXPIRY),
                time(row, FILES_UNTIL),
                number(row, VERSION),
                number(row, SEQUENCE));
    }

    /** Fills {@link #UPDATE}. */
    void fill(PreparedStatement update, SandboxRow row, long versionBefore) throws SQLException {
        int parameter = 1;
        for (var column : SandboxColumn.CHANGING) {
            update.setObject(parameter++, asParameter(column.valueIn(row)));
        }
        update.setString(parameter++, row.id());
        update.setLong(parameter, versionBefore);
    }

    private @Nullable Object asParameter(@Nullable Object value) {
        return switch (value) {
            case Instant time -> time.atOffset(ZoneOffset.UTC);
            case List<?> list -> asJson(list);
            case null, default -> value;
        };
    }

    String asJson(Object value) {
        try {
            return json.writeValueAsString(value);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private Map<String, String> words(String text) {
        return text.equals("{}") ? Map.of() : parsed(text, WORDS);
    }

    private List<String> hosts(String text) {
        return text.equals("[]") ? List.of() : parsed(text, HOSTS);
    }

    private <T> T parsed(String text, Argument<T> type) {
        try {
            return json.readValue(text, type);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String text(ResultSet row, SandboxColumn column) throws SQLException {
        return row.getString(column.position());
    }

    private static long number(ResultSet row, SandboxColumn column) throws SQLException {
        return row.getLong(column.position());
    }

    private static boolean isTrue(ResultSet row, SandboxColumn column) throws SQLException {
        return row.getBoolean(column.position());
    }

    private static @Nullable Instant time(ResultSet row, SandboxColumn column) throws SQLException {
        var time = row.getObject(column.position(), OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
