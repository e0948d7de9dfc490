package io.bivouac.sandboxio.code;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** Bounds of code that is run in interpreters of a sandbox. */
@ConfigurationProperties("bivouac.code")
public class CodeSettings {
    private int sessions = 16;
    private Duration sessionIdle = Duration.ofHours(1);
    private Duration defaultTimeout = Duration.ofMinutes(10);
    private Duration pingEvery = Duration.ofSeconds(15);

    /** Sessions of one sandbox at a time, the default ones included; an agent has at most 64. */
    public int getSessions() {
        return sessions;
    }

    public void setSessions(int sessions) {
        this.sessions = sessions;
    }

    /** A session in which nothing ran for so long is ended. */
    public Duration getSessionIdle() {
        return sessionIdle;
    }

    public void setSessionIdle(Duration sessionIdle) {
        this.sessionIdle = sessionIdle;
    }

    /** Of a run that does not say how long it may take. */
    public Duration getDefaultTimeout() {
        return defaultTimeout;
    }

    public void setDefaultTimeout(Duration defaultTimeout) {
        this.defaultTimeout = defaultTimeout;
    }

    /** How often a run shows that it is alive. */
    public Duration getPingEvery() {
        return pingEvery;
    }

    public void setPingEvery(Duration pingEvery) {
        this.pingEvery = pingEvery;
    }
}
