package io.bivouac.agentlink;

import io.bivouac.agent.v1.PermissionAnswered;
import io.bivouac.agent.v1.PermissionAsked;
import io.bivouac.sandboxmodel.error.BivouacException;

/**
 * Lets one agent's questions for permission through as far as their bounds go. What is too much is denied without
 * asking anybody. Used by one thread at a time.
 */
final class PermissionQueue {
    private final AgentConnection connection;
    private final PermissionListener listener;
    private final MessageBudget budget =
            new MessageBudget(Bounds.PERMISSIONS_AT_ONCE, Bounds.PERMISSIONS_PER_SECOND, System.nanoTime());

    PermissionQueue(AgentConnection connection, PermissionListener listener) {
        this.connection = connection;
        this.listener = listener;
    }

    /** False when no agent of ours would ask this. */
    boolean ask(PermissionAsked question, MessageBudget unasked, long now) {
        if (!fits(question)) {
            return false;
        }
        if (budget.take(now)) {
            listener.asked(connection, question);
            return true;
        }
        return unasked.take(now) && deny(question);
    }

    private boolean deny(PermissionAsked question) {
        try {
            connection.answer(PermissionAnswered.newBuilder()
                    .setQuestionId(question.getQuestionId())
                    .setReason("too many questions in a short time")
                    .build());
        } catch (BivouacException takesNoOrders) {
            // Then the program's own time runs out, which is a no as well.
        }
        return true;
    }

    boolean withdraw(String questionId, MessageBudget unasked, long now) {
        if (questionId.length() > Bounds.QUESTION_ID || !(budget.take(now) || unasked.take(now))) {
            return false;
        }
        listener.withdrawn(connection, questionId);
        return true;
    }

    private static boolean fits(PermissionAsked question) {
        return !question.getQuestionId().isEmpty()
                && question.getQuestionIdBytes().size() <= Bounds.QUESTION_ID
                && question.getSourceBytes().size() <= Bounds.QUESTION_SOURCE
                && question.getActionBytes().size() <= Bounds.QUESTION_ACTION
                && question.getResourceBytes().size() <= Bounds.QUESTION_TEXT
                && question.getDescriptionBytes().size() <= Bounds.QUESTION_TEXT
                && question.getCwdBytes().size() <= Bounds.QUESTION_TEXT
                && question.getInput().size() <= Bounds.QUESTION_INPUT
                && question.getCommandIdBytes().size() <= Bounds.COMMAND_TEXT;
    }
}
