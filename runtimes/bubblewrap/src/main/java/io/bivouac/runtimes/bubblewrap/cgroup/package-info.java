/**
 * Limits on memory, processes and processor time, and what a sandbox uses of them, by control groups of version 1
 * or 2, whichever the host has. Each sandbox has a group of its own under one parent, so that all of its processes
 * can be found and ended even when whoever started them is gone. Thread-safe.
 */
package io.bivouac.runtimes.bubblewrap.cgroup;
