package io.bivouac.functions.event;

import io.micronaut.context.annotation.ConfigurationProperties;
import jakarta.validation.constraints.Positive;
import java.time.Duration;

/** The bounds of event streams. */
@ConfigurationProperties("bivouac.event-streams")
public class StreamSettings {
    private int most = 1_000;
    private int perCaller = 250;
    private Duration longest = Duration.ofMinutes(30);
    private Duration ping = Duration.ofSeconds(15);

    /** How many a process serves at once. */
    @Positive public int getMost() {
        return most;
    }

    public void setMost(int most) {
        this.most = most;
    }

    /** How many of them one key or token may have; a project's own limit says how many all of its keys may have. */
    @Positive public int getPerCaller() {
        return perCaller;
    }

    public void setPerCaller(int perCaller) {
        this.perCaller = perCaller;
    }

    /** After this a stream ends and the client comes again, with a key that must still be valid. */
    public Duration getLongest() {
        return longest;
    }

    public void setLongest(Duration longest) {
        this.longest = longest;
    }

    /** How often a quiet stream shows that it is alive. */
    public Duration getPing() {
        return ping;
    }

    public void setPing(Duration ping) {
        this.ping = ping;
    }
}
