package io.bivouac.sandboxes.egress;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;

/** The statements on the table of hosts that projects have opened for templates. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface TemplateHostRows extends GenericRepository<TemplateHostRows.Row, String> {
    @MappedEntity("template_hosts")
    record Row(@Id String projectId, String template, String host, Instant at) {}

    @Query(
            "SELECT host FROM template_hosts WHERE project_id = :project AND template = :template ORDER BY host LIMIT :most")
    List<String> of(String project, String template, int most);

    @Query("""
            INSERT INTO template_hosts (project_id, template, host, at) VALUES (:project, :template, :host, :at)
            ON CONFLICT DO NOTHING""")
    void add(String project, String template, String host, Instant at);

    @Query("DELETE FROM template_hosts WHERE project_id = :project AND template = :template")
    void clear(String project, String template);
}
