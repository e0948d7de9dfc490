package io.bivouac.sandboxes.lifecycle;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How long things may take. */
@ConfigurationProperties("bivouac.lifecycle")
public class LifecycleSettings {
    private Duration startTimeout = Duration.ofSeconds(60);
    private Duration reconcileEvery = Duration.ofSeconds(30);
    private Duration keepHistory = Duration.ofDays(7);

    /** From {@code starting} to the agent's registration; then it is an error. */
    public Duration getStartTimeout() {
        return startTimeout;
    }

    public void setStartTimeout(Duration startTimeout) {
        this.startTimeout = startTimeout;
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
}
