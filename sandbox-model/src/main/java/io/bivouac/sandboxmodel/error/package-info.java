/** The one table of errors, and the one exception that carries a row of it. */
package io.bivouac.sandboxmodel.error;
