package io.bivouac.agentlink;

import io.bivouac.agent.v1.RecordingPart;

/** Takes the recording that a sealed terminal's agent makes. */
public interface RecordingListener extends TerminalListener {
    void recorded(RecordingPart part);
}
