/** Kills whatever can be killed while events flow, and compares the lists of both ends afterwards. */
package io.bivouac.webhooks.crash;
