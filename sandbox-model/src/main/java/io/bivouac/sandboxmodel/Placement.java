package io.bivouac.sandboxmodel;

/** Where it runs: which runtime, on which host. */
public record Placement(String runtime, String host) {}
