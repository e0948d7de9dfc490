/** The project's API keys. */
package io.bivouac.functions.key;
