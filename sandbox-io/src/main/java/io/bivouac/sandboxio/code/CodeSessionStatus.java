package io.bivouac.sandboxio.code;

import io.bivouac.agent.v1.CodeSession;
import io.bivouac.sandboxio.text.ShownText;
import java.time.Instant;
import java.util.Locale;

/** A session as its agent tells of it. */
public record CodeSessionStatus(
        String id, String language, String cwd, String state, long executionCount, Instant createdAt, Instant usedAt) {
    private static final int LONGEST = 4_096;

    static CodeSessionStatus of(CodeSession session) {
        return new CodeSessionStatus(
                session.getId(),
                ShownText.of(session.getLanguage(), LONGEST),
                ShownText.of(session.getCwd(), LONGEST),
                state(session.getState()),
                session.getExecutionCount(),
                Instant.ofEpochMilli(session.getCreatedUnixMillis()),
                Instant.ofEpochMilli(session.getUsedUnixMillis()));
    }

    private static String state(CodeSession.State state) {
        return state == CodeSession.State.UNRECOGNIZED ? "idle" : state.name().toLowerCase(Locale.ROOT);
    }
}
