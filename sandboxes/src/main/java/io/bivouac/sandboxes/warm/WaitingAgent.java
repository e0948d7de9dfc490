package io.bivouac.sandboxes.warm;

/** The agent of a sandbox that was started ahead, as it waits at its relay. */
public interface WaitingAgent {
    /**
     * Takes the agent in, now that its sandbox has a row. False when that cannot be: its connection broke, and the agent
     * comes again by itself, or its sandbox has ended.
     */
    boolean admit();

    boolean isConnected();
}
