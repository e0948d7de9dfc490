package io.bivouac.functions.project;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/** A project, what it may have and what it has. */
@Serdeable
record ProjectView(String id, String name, int sandboxLimit, Instant createdAt, LimitsView limits, UsageView usage) {}
