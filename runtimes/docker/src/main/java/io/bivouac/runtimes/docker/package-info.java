/**
 * Sandboxes as containers of a Docker engine, reached by its API. A container is {@code bivouac-{id}}, without a
 * network and with few capabilities; its data is the named volume {@code bivouac-data-{id}}, which outlives it
 * when removal says so. All state is in the engine, as labels on containers and volumes; only the agent's
 * configuration and its token are files on this machine. The code runs in any number of threads.
 */
package io.bivouac.runtimes.docker;
