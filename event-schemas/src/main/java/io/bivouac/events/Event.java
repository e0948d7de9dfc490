package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/**
 * The envelope of every event.
 *
 * @param subject what it is about: a sandbox's id, mostly
 * @param sequence counts a subject's events from 1 without a hole, so that a receiver can put them in order
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Event(
        String id, String type, Instant timestamp, String project, String subject, long sequence, EventData data) {}
