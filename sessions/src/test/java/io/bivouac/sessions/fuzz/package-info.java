/** Clients that say whatever they like, at every door, made up from a seed. */
package io.bivouac.sessions.fuzz;
