package io.bivouac.terminalrelay.terminal;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How many terminals there may be, and how long they live. */
@ConfigurationProperties("bivouac.terminal")
public class TerminalSettings {
    private int perUser = 5;
    private int total = 100;
    private int sessionsPerProject = 80;
    private int perSandbox = 32;
    private int most = 1_000;
    private Duration idleAfter = Duration.ofMinutes(1);
    private Duration idleTimeout = Duration.ofMinutes(30);
    private Duration sessionIdleTimeout = Duration.ofMinutes(10);
    private Duration sessionTimeout = Duration.ofHours(1);
    private Duration longestTimeout = Duration.ofHours(24);
    private Duration killAfter = Duration.ofSeconds(10);
    private Duration hold = Duration.ofSeconds(60);
    private Duration pingEvery = Duration.ofSeconds(30);
    private Duration lookEvery = Duration.ofSeconds(5);

    /** Terminal sessions of one caller at a time. */
    public int getPerUser() {
        return perUser;
    }

    public void setPerUser(int perUser) {
        this.perUser = perUser;
    }

    /** Terminal sessions of all callers at a time. */
    public int getTotal() {
        return total;
    }

    public void setTotal(int total) {
        this.total = total;
    }

    /** Of these, how many may be one project's. */
    public int getSessionsPerProject() {
        return Math.min(sessionsPerProject, total);
    }

    public void setSessionsPerProject(int sessionsPerProject) {
        this.sessionsPerProject = sessionsPerProject;
    }

    /** Terminals of any kind in one sandbox; a project's own limit says how many it may have in all of them. */
    public int getPerSandbox() {
        return perSandbox;
    }

    public void setPerSandbox(int perSandbox) {
        this.perSandbox = perSandbox;
    }

    /** Terminals of any kind in the whole installation. */
    public int getMost() {
        return most;
    }

    public void setMost(int most) {
        this.most = most;
    }

    /** Quiet for so long, a terminal without a client and without a program in the foreground may be ended for another. */
    public Duration getIdleAfter() {
        return idleAfter;
    }

    public void setIdleAfter(Duration idleAfter) {
        this.idleAfter = idleAfter;
    }

    /** Without input, output or a program in the foreground, a PTY or interactive exec ends after this. */
    public Duration getIdleTimeout() {
        return idleTimeout;
    }

    public void setIdleTimeout(Duration idleTimeout) {
        this.idleTimeout = idleTimeout;
    }

    /** The same for sessions. */
    public Duration getSessionIdleTimeout() {
        return sessionIdleTimeout;
    }

    public void setSessionIdleTimeout(Duration sessionIdleTimeout) {
        this.sessionIdleTimeout = sessionIdleTimeout;
    }

    /** How long a session lives that does not say. */
    public Duration getSessionTimeout() {
        return sessionTimeout;
    }

    public void setSessionTimeout(Duration sessionTimeout) {
        this.sessionTimeout = sessionTimeout;
    }

    /** The most that a session may ask for, and the life of every other terminal. */
    public Duration getLongestTimeout() {
        return longestTimeout;
    }

    public void setLongestTimeout(Duration longestTimeout) {
        this.longestTimeout = longestTimeout;
    }

    /** From TERM to KILL. */
    public Duration getKillAfter() {
        return killAfter;
    }

    public void setKillAfter(Duration killAfter) {
        this.killAfter = killAfter;
    }

    /** How long a full ring waits for a driver that left. */
    public Duration getHold() {
        return hold;
    }

    public void setHold(Duration hold) {
        this.hold = hold;
    }

    public Duration getPingEvery() {
        return pingEvery;
    }

    public void setPingEvery(Duration pingEvery) {
        this.pingEvery = pingEvery;
    }

    /** How often terminals are looked after. */
    public Duration getLookEvery() {
        return lookEvery;
    }

    public void setLookEvery(Duration lookEvery) {
        this.lookEvery = lookEvery;
    }
}
