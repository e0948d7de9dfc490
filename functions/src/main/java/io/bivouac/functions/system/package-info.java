/** What operators look at and do: figures of the whole installation, garbage collection. */
package io.bivouac.functions.system;
