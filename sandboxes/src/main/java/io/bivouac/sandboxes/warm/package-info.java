/**
 * Sandboxes that are started before anybody asks for them: {@code WarmPool} keeps some of each template running, without
 * an owner, a row or an event, and a create that fits takes one. Their agents wait at the relay until then
 * ({@code WaitingAgents}). Nothing here is stored: a sandbox of the pool that outlives its server is an instance without
 * a row, which reconciliation removes.
 */
package io.bivouac.sandboxes.warm;
