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

    @Query("UPDATE projects SET sandbox_limit = :limit WHERE id = :id")
    int setLimit(String id, int limit);

    @Query("SELECT * FROM projects WHERE (CAST(:before AS text) IS NULL OR id < :before) ORDER BY id DESC LIMIT :limit")
    List<Project> page(@Nullable String before, int limit);

    @Query("SELECT * FROM projects ORDER BY id LIMIT 1")
    Project oldest();
}
