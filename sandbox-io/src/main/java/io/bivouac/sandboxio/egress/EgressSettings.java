package io.bivouac.sandboxio.egress;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** Where sandboxes may be let out to, for how long, and what is written down about it. */
@ConfigurationProperties("bivouac.egress")
public class EgressSettings {
    private static final Duration LONGEST_ASK = Duration.ofMinutes(10);

    private String allowPrivate = "";
    private boolean auditConnections;
    private int refusalsAudited = 10;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration idleTimeout = Duration.ofMinutes(15);
    private Duration askTimeout = Duration.ofSeconds(60);

    /** Ranges that are not public and yet may be reached, where a policy allows it: CIDRs separated by commas. */
    public String getAllowPrivate() {
        return allowPrivate;
    }

    public void setAllowPrivate(String allowPrivate) {
        this.allowPrivate = allowPrivate;
    }

    /** Whether connections get an audit row too; refusals always do. */
    public boolean isAuditConnections() {
        return auditConnections;
    }

    public void setAuditConnections(boolean auditConnections) {
        this.auditConnections = auditConnections;
    }

    /** Refusals of one sandbox that get a row of their own in a minute; the next row counts the others. */
    public int getRefusalsAudited() {
        return refusalsAudited;
    }

    public void setRefusalsAudited(int refusalsAudited) {
        this.refusalsAudited = refusalsAudited;
    }

    /** For one address of a host. */
    public Duration getConnectTimeout() {
        return connectTimeout;
    }

    public void setConnectTimeout(Duration connectTimeout) {
        this.connectTimeout = connectTimeout;
    }

    /** A connection on which nothing moves for so long is closed. */
    public Duration getIdleTimeout() {
        return idleTimeout;
    }

    public void setIdleTimeout(Duration idleTimeout) {
        this.idleTimeout = idleTimeout;
    }

    /** How long a connection to a closed host waits for an approver's answer. */
    public Duration getAskTimeout() {
        return askTimeout;
    }

    public void setAskTimeout(Duration askTimeout) {
        if (askTimeout.compareTo(Duration.ofSeconds(1)) < 0 || askTimeout.compareTo(LONGEST_ASK) > 0) {
            throw new IllegalArgumentException("bivouac.egress.ask-timeout must be from 1s to 10m");
        }
        this.askTimeout = askTimeout;
    }
}
