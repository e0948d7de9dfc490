/** Moves the end of sandboxes that are used: by traffic to their ports, by commands, or by terminals. */
package io.bivouac.sandboxio.keepalive;
