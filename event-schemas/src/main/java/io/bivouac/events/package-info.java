/**
 * What Bivouac says: the envelope that every event travels in, the list of types, and the data of each.
 *
 * <p>Everything here is immutable. Fields are only ever added, never renamed or removed, because receivers
 * outside this repository read them.
 */
package io.bivouac.events;
