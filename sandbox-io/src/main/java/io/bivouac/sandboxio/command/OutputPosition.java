package io.bivouac.sandboxio.command;

import io.bivouac.agent.v1.Attach;
import io.micronaut.core.annotation.Nullable;
import java.util.regex.Pattern;

/** Which of a command's streams are read, and from where. */
record OutputPosition(boolean stdout, boolean stderr, long stdoutOffset, long stderrOffset) {
    static final String EVENT_IDS = "^([0-9]{1,18})-([0-9]{1,18})$";

    private static final Pattern EVENT_ID = Pattern.compile(EVENT_IDS);

    /** An event's id counts more than an offset: it is where a reconnecting client left off. */
    static OutputPosition of(@Nullable String stream, @Nullable Long offset, @Nullable String lastEventId) {
        boolean stdout = stream == null || stream.equals("stdout");
        boolean stderr = stream == null || stream.equals("stderr");
        if (!stdout && !stderr) {
            throw CommandOrder.invalid("stream must be stdout or stderr.");
        }
        long from = offset == null ? 0 : offset;
        if (from < 0) {
            throw CommandOrder.invalid("offset must not be negative.");
        }
        if (lastEventId != null) {
            var id = EVENT_ID.matcher(lastEventId);
            if (!id.matches()) {
                throw CommandOrder.invalid("Last-Event-ID must be the id of an event of this command.");
            }
            return new OutputPosition(stdout, stderr, Long.parseLong(id.group(1)), Long.parseLong(id.group(2)));
        }
        return new OutputPosition(stdout, stderr, stdout ? from : 0, stdout ? 0 : from);
    }

    Attach.Builder from(String commandId) {
        return Attach.newBuilder()
                .setCommandId(commandId)
                .setStdout(stdout)
                .setStderr(stderr)
                .setStdoutOffset(stdoutOffset)
                .setStderrOffset(stderrOffset);
    }
}
