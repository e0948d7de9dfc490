/** Who callers are, beside API keys: JWTs of the issuers that the operator trusts. */
package io.bivouac.terminalrelay.identity;
