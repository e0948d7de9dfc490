package io.bivouac.webhooks.replay;

/** An event as the events' table has it. */
record KeptEvent(long position, String id, String type, String subject, String envelope) {}
