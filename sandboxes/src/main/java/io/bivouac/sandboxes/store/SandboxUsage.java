package io.bivouac.sandboxes.store;

import io.micronaut.core.annotation.Introspected;

/**
 * What a project's sandboxes have, together.
 *
 * @param cpu cores of those that are not stopped
 * @param memory bytes of those that are not stopped
 * @param disk bytes of all
 */
@Introspected
public record SandboxUsage(int sandboxes, double cpu, long memory, long disk) {}
