/**
 * The hosts that make sandboxes. Each process with a runtime says in the table {@code hosts} that it is up and what it
 * can do; a process without one ({@code --services=functions}) places sandboxes there, and the host's own process does
 * the work, as for any row that nobody has in hand.
 */
package io.bivouac.sandboxes.host;
