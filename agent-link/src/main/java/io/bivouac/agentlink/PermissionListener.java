package io.bivouac.agentlink;

import io.bivouac.agent.v1.PermissionAsked;

/** Hears what programs in sandboxes ask to be allowed, on the network's thread: it must return at once. */
public interface PermissionListener {
    /** It is answered by {@link AgentConnection#answer}; its text is within bounds, and hostile. */
    void asked(AgentConnection by, PermissionAsked question);

    /** Nobody waits for the answer any more. */
    void withdrawn(AgentConnection by, String questionId);
}
