package io.bivouac.agentlink;

import io.bivouac.agent.v1.PermissionAsked;
import jakarta.inject.Singleton;

/** A relay without terminals has nobody who answers programs that ask for permission. */
@Singleton
final class NobodyAsked implements PermissionListener {
    @Override
    public void asked(AgentConnection by, PermissionAsked question) {}

    @Override
    public void withdrawn(AgentConnection by, String questionId) {}
}
