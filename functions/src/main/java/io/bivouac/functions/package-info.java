/**
 * The control plane. Each class that answers a route is the story of one operation, read top to bottom; what
 * they share (who is calling, how errors look, limits) is in {@link io.bivouac.http}.
 */
package io.bivouac.functions;
