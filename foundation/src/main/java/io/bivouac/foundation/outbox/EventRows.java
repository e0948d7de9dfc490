package io.bivouac.foundation.outbox;

import io.bivouac.foundation.paging.Page;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the events' table, except the relay's, which belong to its locked session. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface EventRows extends GenericRepository<EventRow, Long> {
    @Query("""
            SELECT * FROM (
                SELECT e.*, sum(octet_length(envelope)) OVER (ORDER BY sequence""" + " " + Page.BEFORE + """
            ) AS bytes_before FROM (
                    SELECT * FROM events WHERE subject = :subject AND sequence > :after
                    ORDER BY sequence LIMIT :limit) e) p
            WHERE coalesce(bytes_before, 0) <= """ + Page.LARGEST_BYTES + " ORDER BY sequence")
    List<EventRow> history(String subject, long after, int limit);

    @Query("SELECT project_id FROM events WHERE subject = :subject ORDER BY sequence LIMIT 1")
    Optional<String> projectOf(String subject);

    @Query("SELECT count(*) FROM events WHERE published_at IS NULL")
    long countUnpublished();

    @Query("SELECT min(occurred_at) FROM events WHERE published_at IS NULL")
    Optional<Instant> oldestUnpublished();

    /** Ends with the first one that goes beyond so many bytes. */
    @Query("""
            SELECT number, type, envelope FROM (
                SELECT e.*, sum(octet_length(envelope)) OVER (ORDER BY number""" + " " + Page.BEFORE + """
            ) AS bytes_before FROM (
                    SELECT published_number AS number, type, envelope FROM events
                    WHERE project_id = :project AND published_number > :after
                    ORDER BY published_number LIMIT :limit) e) p
            WHERE coalesce(bytes_before, 0) <= :bytes ORDER BY number""")
    List<PublishedEvent> publishedAfter(String project, long after, int limit, long bytes);

    // By the index on the time, which a batch shares.
    @Query("""
            SELECT min(published_number) FROM events
            WHERE published_at = (SELECT min(published_at) FROM events WHERE published_number IS NOT NULL)""")
    Optional<Long> oldestNumber();

    @Query("""
            SELECT max(published_number) FROM events
            WHERE published_at = (SELECT max(published_at) FROM events WHERE published_number IS NOT NULL)""")
    Optional<Long> newestNumber();

    /** At least the newest number, also of one whose mark a crash of the database took back. */
    @Query("SELECT last_value FROM published_events")
    long lastNumberGiven();

    @Query("DELETE FROM events WHERE published_at < :before")
    int purgePublished(Instant before);
}
