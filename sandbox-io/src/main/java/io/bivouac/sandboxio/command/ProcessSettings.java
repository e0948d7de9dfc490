package io.bivouac.sandboxio.command;

import io.bivouac.foundation.memory.MemorySettings;
import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How commands are run when a request does not say. */
@ConfigurationProperties("bivouac.process")
public class ProcessSettings {
    private Duration linger = Duration.ofSeconds(30);
    private Duration defaultTimeout = Duration.ofMinutes(10);
    private Duration pingEvery = Duration.ofSeconds(15);
    private final MemorySettings memory;

    public ProcessSettings(MemorySettings memory) {
        this.memory = memory;
    }

    /** How long a foreground command outlives its last reader. */
    public Duration getLinger() {
        return linger;
    }

    public void setLinger(Duration linger) {
        this.linger = linger;
    }

    /** For results in one piece; streams and background commands have none unless they ask for it. */
    public Duration getDefaultTimeout() {
        return defaultTimeout;
    }

    public void setDefaultTimeout(Duration defaultTimeout) {
        this.defaultTimeout = defaultTimeout;
    }

    /** How often a quiet event stream shows that it is alive. */
    public Duration getPingEvery() {
        return pingEvery;
    }

    public void setPingEvery(Duration pingEvery) {
        this.pingEvery = pingEvery;
    }

    /** What one of the two streams of a command may ask for, so that a command that is alone finds room. */
    long largestOutput() {
        return Math.min(CommandOrder.LARGEST_OUTPUT, memory.largestShare() / 2);
    }
}
