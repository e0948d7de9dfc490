package io.bivouac.http;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.data.connection.exceptions.ConnectionException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/** Which failures of others are refusals that a client can do something about. */
public final class KnownFailures {
    /** Connection lost, out of resources, shutting down. */
    private static final Set<String> AWAY = Set.of("08", "53", "57");

    /** Text that is none: not in the repertoire, not readable, not translatable. */
    private static final Set<String> NO_TEXT = Set.of("22021", "22P02", "22P05");

    private KnownFailures() {}

    public static Optional<BivouacException> of(Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BivouacException refusal) {
                return Optional.of(refusal);
            }
            if (isAway(cause)) {
                return refusal(ErrorCode.UNAVAILABLE, "The database is not reachable right now; try again.");
            }
            if (cause instanceof SQLException sql && NO_TEXT.contains(String.valueOf(sql.getSQLState()))) {
                return refusal(
                        ErrorCode.INVALID_REQUEST, "The request has characters that cannot be stored, such as NUL.");
            }
            if (cause instanceof RejectedExecutionException) {
                return refusal(ErrorCode.UNAVAILABLE, "The server has too much to do; try again.");
            }
        }
        return Optional.empty();
    }

    private static boolean isAway(Throwable cause) {
        return cause instanceof SQLTransientConnectionException
                || cause instanceof ConnectionException
                || (cause instanceof SQLException sql
                        && sql.getSQLState() != null
                        && sql.getSQLState().length() >= 2
                        && AWAY.contains(sql.getSQLState().substring(0, 2)));
    }

    private static Optional<BivouacException> refusal(ErrorCode code, String detail) {
        return Optional.of(new BivouacException(code, detail));
    }
}
