package io.bivouac.terminalrelay.permission;

import io.micronaut.core.annotation.Nullable;

/**
 * What is known where a new question would be put.
 *
 * @param askedBefore the request that is this question, if there is one
 * @param grant the request whose yes covers it, if there is one
 */
record PermissionPlace(
        @Nullable String askedBefore,
        @Nullable String grant,
        long openInSandbox,
        long openInProject,
        long keysThatMayAnswer) {}
