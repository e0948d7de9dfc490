package io.bivouac.foundation.audit;

import io.micronaut.core.annotation.Introspected;

/** The newest row of a project's chain. */
@Introspected
record AuditHead(String projectId, long sequence, byte[] hash) {}
