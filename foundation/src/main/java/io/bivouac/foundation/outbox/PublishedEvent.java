package io.bivouac.foundation.outbox;

import io.micronaut.core.annotation.Introspected;

/**
 * An event that is on Kafka.
 *
 * @param number its place in the order of publication; rises, with holes
 */
@Introspected
public record PublishedEvent(long number, String type, String envelope) {}
