package io.bivouac.webhooks;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How webhooks are sent. */
@ConfigurationProperties("bivouac.webhooks")
public class WebhookSettings {
    private Duration timeout = Duration.ofSeconds(15);
    private Duration lease = Duration.ofSeconds(60);
    private Duration disableAfter = Duration.ofDays(5);
    private Duration keep = Duration.ofDays(14);
    private int endpointsPerProject = 100;
    private String group = "bivouac-webhooks";
    private boolean dispatch = true;

    /** From the name's look-up to the last byte of the answer. */
    public Duration getTimeout() {
        return timeout;
    }

    public void setTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    /** How long a claimed delivery is left to its claimer; longer than any attempt takes. */
    public Duration getLease() {
        return lease;
    }

    public void setLease(Duration lease) {
        this.lease = lease;
    }

    /** An endpoint that fails this long without one success is disabled. */
    public Duration getDisableAfter() {
        return disableAfter;
    }

    public void setDisableAfter(Duration disableAfter) {
        this.disableAfter = disableAfter;
    }

    /** How long deliveries are kept, also those that wait for a disabled endpoint. */
    public Duration getKeep() {
        return keep;
    }

    public void setKeep(Duration keep) {
        this.keep = keep;
    }

    public int getEndpointsPerProject() {
        return endpointsPerProject;
    }

    public void setEndpointsPerProject(int endpointsPerProject) {
        this.endpointsPerProject = endpointsPerProject;
    }

    /** Kafka's consumer group: its members share the work. */
    public String getGroup() {
        return group;
    }

    public void setGroup(String group) {
        this.group = group;
    }

    /** Whether this process sends; one that does not still manages endpoints. */
    public boolean isDispatch() {
        return dispatch;
    }

    public void setDispatch(boolean dispatch) {
        this.dispatch = dispatch;
    }
}
