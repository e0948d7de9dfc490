package io.bivouac.webhooks.delivery;

/**
 * An event as it is sent on: the envelope's bytes are never taken apart.
 *
 * @param subject what it is about: a sandbox's id, mostly
 */
public record EventMessage(String id, String type, String project, String subject, byte[] envelope) {}
