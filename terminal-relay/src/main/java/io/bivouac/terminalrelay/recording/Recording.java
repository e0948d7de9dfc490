package io.bivouac.terminalrelay.recording;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/** How far a terminal has been recorded. */
@MappedEntity("recordings")
record Recording(@Id String terminalId, long nextOffset, int parts, long size, Instant lastAt, boolean complete) {}
