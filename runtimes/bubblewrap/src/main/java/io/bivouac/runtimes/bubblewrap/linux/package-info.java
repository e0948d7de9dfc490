/**
 * What Linux offers and Java does not: system calls through libc, processes by id and start time, mounts. Every
 * type is thread-safe and knows nothing of sandboxes.
 */
package io.bivouac.runtimes.bubblewrap.linux;
