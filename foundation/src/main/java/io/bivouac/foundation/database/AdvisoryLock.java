package io.bivouac.foundation.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A lock between processes, held by a database session of its own: it ends with the process, however that
 * ends. Thread-safe.
 */
public final class AdvisoryLock implements AutoCloseable {
    private final DatabaseUrl url;
    private final String name;
    private Connection session;
    private boolean held;
    private boolean ended;

    public AdvisoryLock(DatabaseUrl url, String name) {
        this.url = url;
        this.name = name;
    }

    /** Whether this process holds the lock now; tries to take it if it does not. */
    public synchronized boolean holds() throws SQLException {
        if (ended) {
            return false;
        }
        if (session == null || session.isClosed() || !session.isValid(2)) {
            drop();
            session = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
        }
        if (!held) {
            try (var statement = session.prepareStatement("SELECT pg_try_advisory_lock(hashtextextended(?, 0))")) {
                statement.setString(1, "bivouac/" + name);
                try (var result = statement.executeQuery()) {
                    held = result.next() && result.getBoolean(1);
                }
            }
        }
        return held;
    }

    /** The session that holds the lock: work done on it fails when the lock is lost. */
    public synchronized Connection session() {
        return session;
    }

    /** Gives the lock up for good. */
    @Override
    public synchronized void close() {
        ended = true;
        drop();
    }

    /** Gives the lock up; whoever asks {@link #holds} next takes it again. */
    public synchronized void drop() {
        held = false;
        if (session != null) {
            try {
                session.close();
            } catch (SQLException alreadyBroken) {
                // The server ends the session, and with it the lock, either way.
            }
            session = null;
        }
    }
}
