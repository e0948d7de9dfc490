/**
 * Where this installation may connect to on somebody else's word: a webhook's URL, a WebID, a sandbox's egress.
 * Decides about addresses, never about names: whoever dials looks a name up once, has the answer checked here, and
 * connects to that very address.
 */
package io.bivouac.foundation.network;
