/**
 * Who callers are, beside API keys: JWTs of the issuers that the operator trusts, and WebIDs by Solid-OIDC, with
 * tokens bound to a key (DPoP, RFC 9449). A WebID proves who somebody is and nothing about what they may do: that is
 * the ACL's to say.
 */
package io.bivouac.identity;
