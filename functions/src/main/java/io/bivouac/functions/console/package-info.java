/** The page at {@code /}, where the distribution has one. */
package io.bivouac.functions.console;
