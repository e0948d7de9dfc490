/** Signatures as Standard Webhooks has them, so that receivers verify with libraries that exist. */
package io.bivouac.webhooks.signing;
