package io.bivouac.sandboxes.lifecycle;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How long things may take, and how many at once. */
@ConfigurationProperties("bivouac.lifecycle")
public class LifecycleSettings {
    private Duration startTimeout = Duration.ofSeconds(60);
    private Duration reconcileEvery = Duration.ofSeconds(30);
    private Duration keepHistory = Duration.ofDays(7);
    private int startsAtOnce = 16;
    private int startsPerProject = 12;

    /**
     * From {@code starting} to the agent's registration; then it is an error. While a process has the sandbox in hand,
     * it counts from the moment that the runtime has done its part.
     */
    public Duration getStartTimeout() {
        return startTimeout;
    }

    public void setStartTimeout(Duration startTimeout) {
        this.startTimeout = startTimeout;
    }

    /**
     * How long an answer waits for a start or an end. Shorter than the start timeout: whoever is told that it goes on
     * must not see it fail by the clock the next moment.
     */
    public Duration getAnswerWithin() {
        return startTimeout.dividedBy(2);
    }

    public Duration getReconcileEvery() {
        return reconcileEvery;
    }

    public void setReconcileEvery(Duration reconcileEvery) {
        this.reconcileEvery = reconcileEvery;
    }

    /** How long deleted sandboxes and published events are remembered. */
    public Duration getKeepHistory() {
        return keepHistory;
    }

    public void setKeepHistory(Duration keepHistory) {
        this.keepHistory = keepHistory;
    }

    /** How many starts run at the same time in this process, whoever asks for them; more would only make each slower. */
    public int getStartsAtOnce() {
        return startsAtOnce;
    }

    public void setStartsAtOnce(int startsAtOnce) {
        this.startsAtOnce = startsAtOnce;
    }

    /** How many of them may be one project's; the others wait, and the project with the fewest goes first. */
    public int getStartsPerProject() {
        return startsPerProject;
    }

    public void setStartsPerProject(int startsPerProject) {
        this.startsPerProject = startsPerProject;
    }
}
