package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogLinesTest {
    @Test
    void aLineBeginsWithItsTimeAndHasTheWholeMessage() {
        var loggers = new LoggerContext();
        loggers.setMDCAdapter(new LogbackMDCAdapter());
        var logger = loggers.getLogger("io.bivouac.Some");
        var event = new LoggingEvent("", logger, Level.WARN, "{} is \"full\"", null, new Object[] {"disk"});
        assertThat(new String(new LogLines().encode(event), StandardCharsets.UTF_8))
                .matches("\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\",\"level\":\"WARN\",.*"
                        + "\"formattedMessage\":\"disk is \\\\\"full\\\\\"\".*}\\s*");
    }
}
