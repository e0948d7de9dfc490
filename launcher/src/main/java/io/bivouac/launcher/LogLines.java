package io.bivouac.launcher;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One JSON object a line, for people as well: it begins with the time in UTC and has the message as it is meant. */
public final class LogLines extends JsonEncoder {
    public LogLines() {
        setWithTimestamp(false);
        setWithNanoseconds(false);
        setWithSequenceNumber(false);
        setWithContext(false);
        setWithMessage(false);
        setWithArguments(false);
        setWithFormattedMessage(true);
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = super.encode(event);
        var time = ("{\"time\":\"" + event.getInstant() + "\",").getBytes(StandardCharsets.US_ASCII);
        // The line's own opening brace gives way.
        return ByteBuffer.allocate(time.length + line.length - 1)
                .put(time)
                .put(line, 1, line.length - 1)
                .array();
    }
}
