package io.bivouac.sandboxes.lifecycle;

import java.time.Duration;

/**
 * Where the time of a start went: waiting for a place, the runtime's part, and the agent's way to the relay.
 *
 * @param warm whether the sandbox ran before it was asked for
 */
public record StartTimeline(Duration queued, Duration runtime, Duration agent, boolean warm) {}
