package io.bivouac.sessions.secret;

/**
 * A secret that a variable is to hold.
 *
 * @param path of a JSON document, from the Pod's root
 * @param jsonPath where it is in that document
 */
public record SecretRef(String variable, String path, String jsonPath) {}
