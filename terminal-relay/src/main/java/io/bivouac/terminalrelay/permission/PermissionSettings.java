package io.bivouac.terminalrelay.permission;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How many questions may be open, how long they may wait, and how many have to say yes. */
@ConfigurationProperties("bivouac.permission")
public class PermissionSettings {
    private int perSandbox = 32;
    private int perProject = 500;
    private int quorum = 1;
    private Duration longestWait = Duration.ofHours(1);
    private Duration longestGrant = Duration.ofHours(24);
    private Duration lookEvery = Duration.ofSeconds(1);
    private Duration keep = Duration.ofDays(7);
    private Duration denialRemembered = Duration.ofSeconds(30);

    /** Questions of one sandbox that wait for an answer at a time. */
    public int getPerSandbox() {
        return perSandbox;
    }

    public void setPerSandbox(int perSandbox) {
        this.perSandbox = perSandbox;
    }

    /** Questions of one project that wait for an answer at a time. */
    public int getPerProject() {
        return perProject;
    }

    public void setPerProject(int perProject) {
        this.perProject = perProject;
    }

    /** How many approvers have to say yes; a single no is enough. */
    public int getQuorum() {
        return quorum;
    }

    public void setQuorum(int quorum) {
        if (quorum < 1) {
            throw new IllegalArgumentException("bivouac.permission.quorum must be 1 or more");
        }
        this.quorum = quorum;
    }

    /** The most that a question may ask to wait. */
    public Duration getLongestWait() {
        return longestWait;
    }

    public void setLongestWait(Duration longestWait) {
        this.longestWait = longestWait;
    }

    /** The longest that a yes can last. */
    public Duration getLongestGrant() {
        return longestGrant;
    }

    public void setLongestGrant(Duration longestGrant) {
        this.longestGrant = longestGrant;
    }

    /** How often it is looked for questions whose time is over, and for news that were missed. */
    public Duration getLookEvery() {
        return lookEvery;
    }

    public void setLookEvery(Duration lookEvery) {
        this.lookEvery = lookEvery;
    }

    /** How long answered questions can be looked at; the audit keeps what was decided. */
    public Duration getKeep() {
        return keep;
    }

    public void setKeep(Duration keep) {
        this.keep = keep;
    }

    /** How long an approver's no to the network answers the same host again, so that nobody is asked at each retry. */
    public Duration getDenialRemembered() {
        return denialRemembered;
    }

    public void setDenialRemembered(Duration denialRemembered) {
        this.denialRemembered = denialRemembered;
    }
}
