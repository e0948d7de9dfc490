/** Which ports of a sandbox can be reached from its host, and where. The relay publishes them, the functions show them. */
package io.bivouac.sandboxes.port;
