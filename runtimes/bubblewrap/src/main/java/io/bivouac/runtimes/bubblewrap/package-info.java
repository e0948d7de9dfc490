/**
 * Sandboxes as namespaces of this machine, made by bubblewrap. A sandbox is a folder with a small file that says
 * what it is, a disk of its own, a cgroup and a range of host ids; the process that holds it up is no child of the
 * server, so sandboxes outlive it and are found again by what lies in their folders. Nothing here is remembered
 * only in memory. All types are thread-safe.
 */
package io.bivouac.runtimes.bubblewrap;
