package io.bivouac.sandboxmodel.runtime;

/** Which Bivouac this is, and on which machine: what keeps two of them on one engine apart. */
public record Installation(String id, String host) {}
