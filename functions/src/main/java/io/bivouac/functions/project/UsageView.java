package io.bivouac.functions.project;

import io.micronaut.serde.annotation.Serdeable;

/**
 * What a project has now.
 *
 * @param eventStreams at the process that answers
 * @param cpu cores of all its sandboxes that are not stopped
 * @param memory of the same
 * @param disk of all its sandboxes, as they may fill it
 */
@Serdeable
record UsageView(int sandboxes, int terminals, int eventStreams, double cpu, String memory, String disk) {}
