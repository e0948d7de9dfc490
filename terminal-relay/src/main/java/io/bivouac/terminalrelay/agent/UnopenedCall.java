package io.bivouac.terminalrelay.agent;

/** A call of an agent that has not said yet what it is for. */
interface UnopenedCall {
    boolean isOverdue(long now);

    void refuse();
}
