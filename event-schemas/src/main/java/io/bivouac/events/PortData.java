package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/** The data of {@code sandbox.port-*} events: a port of a sandbox, and the program that listens there. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PortData(String sandboxId, int port, @Nullable String program) implements EventData {}
