package io.bivouac.foundation.access;

import java.util.List;

/**
 * A token that only the holder of a key can use, and what shows that the caller is that holder (RFC 9449).
 *
 * @param proofs every proof that came with the request; one is right, none or several are not
 * @param url where the request went, as the client spells it, without a query
 */
public record BoundToken(String token, List<String> proofs, String method, String url) {}
