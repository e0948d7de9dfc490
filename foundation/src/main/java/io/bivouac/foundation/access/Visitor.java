package io.bivouac.foundation.access;

/**
 * Somebody whose identity is kept elsewhere, as their token says and their profile confirms.
 *
 * @param client the program that they use
 * @param issuer who vouches for them
 */
public record Visitor(String webId, String client, String issuer) {}
