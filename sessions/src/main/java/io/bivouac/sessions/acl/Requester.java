package io.bivouac.sessions.acl;

import io.bivouac.foundation.access.Visitor;
import io.micronaut.core.annotation.Nullable;

/**
 * Somebody with a WebID who asks.
 *
 * @param origin the page that their browser was on; null when no browser asks
 * @param trustedOrigin whether the operator trusts that page for everybody
 */
public record Requester(Visitor visitor, @Nullable String origin, boolean trustedOrigin) {}
