/** Tokens derived from the installation's key: the join token of a sandbox, the pass between relays. */
package io.bivouac.sandboxes.token;
