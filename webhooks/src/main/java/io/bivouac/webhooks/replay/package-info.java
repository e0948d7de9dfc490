/** Sending again, on request: one delivery, those that are dead, all of a span of time; and a test. */
package io.bivouac.webhooks.replay;
