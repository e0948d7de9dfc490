package io.bivouac.sandboxes.store;

import io.micronaut.core.annotation.Introspected;

/** How many sandboxes are in a state. */
@Introspected
public record StateCount(String state, long sandboxes) {}
