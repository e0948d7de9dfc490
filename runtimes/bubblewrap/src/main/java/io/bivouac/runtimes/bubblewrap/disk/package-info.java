/**
 * A sandbox's disk: the folders that it may write, together under one hard limit, with the range of host ids that
 * owns what is in them. A disk is made ahead of time, taken by one sandbox, and may be kept when that one is
 * removed. What exists is what lies on the file system: any crash leaves something that {@code recover} accounts
 * for. Thread-safe.
 */
package io.bivouac.runtimes.bubblewrap.disk;
