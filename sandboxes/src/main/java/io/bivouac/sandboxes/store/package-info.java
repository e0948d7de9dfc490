/**
 * The sandboxes' table. A change and the events it says are one transaction, and a change against an older
 * version is refused: two callers never overwrite each other.
 */
package io.bivouac.sandboxes.store;
