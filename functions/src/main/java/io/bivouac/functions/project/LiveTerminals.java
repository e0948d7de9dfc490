package io.bivouac.functions.project;

import io.bivouac.foundation.access.Project;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;

/** How many terminals a project has. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface LiveTerminals extends GenericRepository<Project, String> {
    @Query("SELECT count(*) FROM terminals WHERE ended_at IS NULL AND project_id = :project")
    int of(String project);
}
