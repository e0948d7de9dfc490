package io.bivouac.terminalrelay.recording;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** The statements on the recordings' pieces. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface RecordingParts extends GenericRepository<RecordingPart, String> {
    @Query("INSERT INTO recording_parts (terminal_id, part, data) VALUES (:terminal, :part, :data)")
    void add(String terminal, int part, byte[] data);

    @Query("SELECT * FROM recording_parts WHERE terminal_id = :terminal AND part = :part")
    Optional<RecordingPart> find(String terminal, int part);
}
