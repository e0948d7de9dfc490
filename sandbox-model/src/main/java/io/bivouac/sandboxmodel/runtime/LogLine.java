package io.bivouac.sandboxmodel.runtime;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/**
 * One line of a sandbox's log.
 *
 * @param stream {@code stdout}, {@code stderr}, or {@code agent} for what the agent itself says
 */
@Serdeable
public record LogLine(Instant time, String stream, String text) {}
