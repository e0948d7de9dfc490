/** The operations on sandboxes, one class each. */
package io.bivouac.functions.sandbox;
