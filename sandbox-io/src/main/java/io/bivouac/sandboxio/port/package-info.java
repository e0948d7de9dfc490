/**
 * Ports of sandboxes on the host's loopback address. A sandbox has no network that could publish them: each connection
 * is carried by its agent. For every port that a sandbox's template declares there is a listener here as long as the
 * sandbox runs, under the same number again when it or this relay was restarted.
 */
package io.bivouac.sandboxio.port;
