/**
 * The use cases of a sandbox's life, for every front: {@code CreateSandboxes}, {@code IdempotentCreates},
 * {@code StartSandboxes}, {@code EndSandboxes} and {@code Sandboxes}, free of HTTP and of the agent's protocol. Behind
 * them is the work that time or a crash asks for as well: bringing sandboxes up and down on their host, ending those
 * whose time is over, and putting right what rows and instances disagree about. Each kind of that work runs in one
 * process at a time, by an advisory lock.
 */
package io.bivouac.sandboxes.lifecycle;
