package io.bivouac.agentlink;

import io.bivouac.agent.v1.PermissionAnswered;
import io.bivouac.agent.v1.PermissionAsked;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answer of a process without approvers: every permission request is denied. */
@Singleton
@Requires(missingBeans = PermissionListener.class)
class NoPermissions implements PermissionListener {
    private static final Logger LOG = LoggerFactory.getLogger(NoPermissions.class);

    @Override
    public void asked(AgentConnection by, PermissionAsked question) {
        try {
            by.answer(PermissionAnswered.newBuilder()
                    .setQuestionId(question.getQuestionId())
                    .setReason("this server takes no permission requests")
                    .build());
        } catch (BivouacException takesNoOrders) {
            // The agent denies by itself when the request's time is over.
            LOG.debug("{}: a permission request is not answered: {}", by.sandbox(), takesNoOrders.getMessage());
        }
    }

    @Override
    public void withdrawn(AgentConnection by, String questionId) {
        // Already answered.
    }
}
