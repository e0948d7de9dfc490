/** The project's events as one stream, for clients that have no address of their own to be called at. */
package io.bivouac.functions.event;
