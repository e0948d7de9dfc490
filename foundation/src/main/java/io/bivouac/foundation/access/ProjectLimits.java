package io.bivouac.foundation.access;

/**
 * What a project may have, its own limits and the installation's defaults taken together.
 *
 * @param cpu cores of all its sandboxes that are not stopped; zero for no limit
 * @param memoryBytes of the same; zero for no limit
 * @param diskBytes of all its sandboxes; zero for no limit
 */
public record ProjectLimits(
        int sandboxes, int terminals, int eventStreams, double cpu, long memoryBytes, long diskBytes) {
    /** Whether somebody has to add up what its sandboxes have. */
    public boolean boundsResources() {
        return cpu > 0 || memoryBytes > 0 || diskBytes > 0;
    }
}
