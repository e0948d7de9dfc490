/** A retried create gives the same sandbox: the keys that callers chose, kept for a day. */
package io.bivouac.sandboxes.idempotency;
