/**
 * What is true: the sandbox and everything that belongs to it.
 *
 * <p>The records here are values. {@link io.bivouac.sandboxes.transition} decides what happens to them,
 * {@link io.bivouac.sandboxes.store} keeps them, {@link io.bivouac.sandboxes.runtime} is the port to the place
 * where they run. Nothing in this module knows HTTP.
 */
package io.bivouac.sandboxes;
