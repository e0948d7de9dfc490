package io.bivouac.foundation.database;

/** The database's log of commits. */
public final class CommitLog {
    /** A commit that is waited for takes all commits before it to the disk; this one has nothing else to say. */
    public static final String FLUSH = "SELECT CAST(pg_logical_emit_message(true, 'bivouac', '') AS text)";

    private CommitLog() {}
}
