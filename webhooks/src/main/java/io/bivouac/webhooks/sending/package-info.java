/**
 * One request and its answer. A name is looked up once, the guard judges the addresses, and the connection goes to
 * one of these very addresses: there is no second look-up that could say something else.
 */
package io.bivouac.webhooks.sending;
