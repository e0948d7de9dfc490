/**
 * The gateway: HTTP and WebSockets to the ports of sandboxes, at {@code /sandbox/{id}/port/{port}/}. A request is
 * read by Netty's codec, checked, stripped of whatever is ours, and written anew to a connection that the sandbox's
 * agent carries; the answer comes back the same way. Both sides run on the event loop of the client's connection, so
 * nothing here waits and nothing is locked. Requests arrive at a listener of their own, whose origin is not the
 * console's, or at the server's main port from callers that show a header.
 */
package io.bivouac.sandboxio.gateway;
