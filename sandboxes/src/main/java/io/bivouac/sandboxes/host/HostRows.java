package io.bivouac.sandboxes.host;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;

/** The statements on the table of hosts. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface HostRows extends GenericRepository<HostRow, String> {
    @Query("""
            INSERT INTO hosts (process, host, runtime, cpu, memory_bytes, disk_bytes, enforces, fault, until)
            VALUES (:process, :host, :runtime, :cpu, :memoryBytes, :diskBytes, :enforces, :fault, :until)
            ON CONFLICT (process) DO UPDATE SET fault = :fault, disk_bytes = :diskBytes, enforces = :enforces, until = :until""")
    void renew(
            String process,
            String host,
            String runtime,
            double cpu,
            long memoryBytes,
            long diskBytes,
            String enforces,
            @Nullable String fault,
            Instant until);

    @Query("DELETE FROM hosts WHERE process = :process OR until < :before")
    void gone(String process, Instant before);

    /** Those that are up, with the fewest sandboxes first. */
    @Query("""
            SELECT hosts.* FROM hosts
            LEFT JOIN (
                SELECT host, runtime, count(*) AS sandboxes FROM sandboxes
                WHERE state IN ('starting', 'running', 'stopping') GROUP BY host, runtime) AS busy
            ON busy.host = hosts.host AND busy.runtime = hosts.runtime
            WHERE hosts.runtime = :runtime AND hosts.until > :now
            ORDER BY coalesce(busy.sandboxes, 0) / hosts.cpu, random()
            LIMIT :most""")
    List<HostRow> up(String runtime, Instant now, int most);
}
