/**
 * The sandbox as a value, without a framework, a database or a clock.
 *
 * <p>{@link io.bivouac.sandboxmodel.transition} decides what happens to a sandbox,
 * {@link io.bivouac.sandboxmodel.runtime} is the port to the place where sandboxes run, and
 * {@link io.bivouac.sandboxmodel.error} is the one table of errors. Identifiers and digests that every module needs are
 * here as well, because this module is the lowest one.
 */
package io.bivouac.sandboxmodel;
