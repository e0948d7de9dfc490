/**
 * Documents at addresses that somebody else named: a WebID, an issuer, a group. Every connection passes the guard,
 * and every answer is bounded in size and time.
 */
package io.bivouac.identity.fetch;
