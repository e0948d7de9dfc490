/** What is sent to whom, how it went, and the ledger that remembers it. */
package io.bivouac.webhooks.delivery;
