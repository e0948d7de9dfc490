package io.bivouac.sandboxes.store;

import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The columns of the sandboxes' table, in the order in which rows are read. A column that changes after the creation
 * knows its value; the statements that read and change rows are made from this list.
 */
enum SandboxColumn {
    ID,
    PROJECT_ID,
    NAME,
    TEMPLATE,
    CPU,
    MEMORY_BYTES,
    DISK_BYTES,
    ENVS,
    LABELS,
    WORKSPACE,
    EGRESS(SandboxRow::egress),
    EGRESS_ASK(SandboxRow::egressAsk),
    NESTED_SANDBOX,
    AUTO_RESUME,
    RUNTIME,
    HOST,
    STATE(SandboxRow::state),
    STATE_REASON(SandboxRow::stateReason),
    STOP_REASON(SandboxRow::stopReason),
    TEARDOWN(SandboxRow::teardown),
    KEEP_WORKSPACE(SandboxRow::keepWorkspace),
    STATE_SINCE(SandboxRow::stateSince),
    AGENT_CONNECTED(SandboxRow::agentConnected),
    CREATED_AT,
    UPDATED_AT(SandboxRow::updatedAt),
    EXPIRES_AT(SandboxRow::expiresAt),
    TIMEOUT_SECONDS,
    ANNOUNCED(SandboxRow::announced),
    NOTICE_AT(SandboxRow::noticeAt),
    KEPT_UNTIL,
    ON_EXPIRY,
    FILES_UNTIL(SandboxRow::filesUntil),
    VERSION(SandboxRow::version),
    SEQUENCE(SandboxRow::sequence);

    static final List<SandboxColumn> ALL = List.of(values());

    /** All that an update writes. */
    static final List<SandboxColumn> CHANGING =
            Arrays.stream(values()).filter(column -> column.value != null).toList();

    private final @Nullable Function<SandboxRow, Object> value;

    SandboxColumn() {
        this(null);
    }

    SandboxColumn(@Nullable Function<SandboxRow, Object> value) {
        this.value = value;
    }

    String sql() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its number in a row that was read, from 1. */
    int position() {
        return ordinal() + 1;
    }

    @Nullable Object valueIn(SandboxRow row) {
        return value.apply(row);
    }
}
