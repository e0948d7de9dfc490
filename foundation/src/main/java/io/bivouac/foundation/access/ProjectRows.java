package io.bivouac.foundation.access;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;

/** The statements on the projects' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ProjectRows extends GenericRepository<Project, String> {
    Project save(Project project);

    Optional<Project> findById(String id);

    boolean existsByName(String name);

    /** Null leaves a limit as it is. */
    @Query("""
            UPDATE projects SET
                sandbox_limit = coalesce(CAST(:sandboxes AS integer), sandbox_limit),
                terminal_limit = coalesce(CAST(:terminals AS integer), terminal_limit),
                event_stream_limit = coalesce(CAST(:eventStreams AS integer), event_stream_limit),
                cpu_limit = coalesce(CAST(:cpu AS double precision), cpu_limit),
                memory_limit = coalesce(CAST(:memory AS bigint), memory_limit),
                disk_limit = coalesce(CAST(:disk AS bigint), disk_limit)
            WHERE id = :id""")
    int setLimits(
            String id,
            @Nullable Integer sandboxes,
            @Nullable Integer terminals,
            @Nullable Integer eventStreams,
            @Nullable Double cpu,
            @Nullable Long memory,
            @Nullable Long disk);

    @Query("""
            SELECT sandbox_limit AS sandboxes, terminal_limit AS terminals, event_stream_limit AS streams,
                cpu_limit AS cpu, memory_limit AS memory, disk_limit AS disk
            FROM projects WHERE id = :id""")
    Optional<ProjectLimitRow> limits(String id);

    /**
     * The same, with the project's lock until the transaction ends: what is counted under its limits is counted one
     * after the other.
     */
    @Query("""
            SELECT sandbox_limit AS sandboxes, terminal_limit AS terminals, event_stream_limit AS streams,
                cpu_limit AS cpu, memory_limit AS memory, disk_limit AS disk
            FROM projects, LATERAL (SELECT pg_advisory_xact_lock(hashtextextended(projects.id, 1))) AS lock
            WHERE id = :id""")
    Optional<ProjectLimitRow> lockLimits(String id);

    @Query("SELECT * FROM projects WHERE (CAST(:before AS text) IS NULL OR id < :before) ORDER BY id DESC LIMIT :limit")
    List<Project> page(@Nullable String before, int limit);

    @Query("SELECT * FROM projects ORDER BY id LIMIT 1")
    Project oldest();
}
