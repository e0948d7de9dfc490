package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The answer of a process that grants no terminals to guests. */
@Singleton
@Requires(missingBeans = GuestApprovals.class)
class NoGuestApprovals implements GuestApprovals {
    @Override
    public boolean mayApprove(@Nullable String terminal, Caller caller, @Nullable String origin) {
        return false;
    }

    @Override
    public boolean hasApprover(@Nullable String terminal) {
        return false;
    }

    @Override
    public List<String> controlledBy(Caller caller, @Nullable String origin) {
        return List.of();
    }

    @Override
    public Optional<String> preAuthorizes(@Nullable String terminal, String action, String resource) {
        return Optional.empty();
    }
}
