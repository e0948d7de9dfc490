/**
 * The interface to the place where sandboxes run. A runtime makes, starts, stops and removes instances and answers
 * questions about them; it decides nothing and stores nothing about a sandbox's life. Implementations are
 * thread-safe, and every method may be repeated: asking for what is already so is no error.
 */
package io.bivouac.sandboxmodel.runtime;
