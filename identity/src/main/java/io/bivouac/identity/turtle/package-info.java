/** Reads Turtle that others wrote, within bounds. */
package io.bivouac.identity.turtle;
