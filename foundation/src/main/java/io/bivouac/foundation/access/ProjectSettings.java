package io.bivouac.foundation.access;

import io.bivouac.sandboxmodel.ByteSize;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import jakarta.validation.constraints.PositiveOrZero;

/** What a project may have that has no limits of its own; zero CPU, memory or disk is no limit. */
@ConfigurationProperties("bivouac.project")
public class ProjectSettings {
    private int sandboxes = 500;
    private int terminals = 200;
    private int eventStreams = 500;
    private double cpu;
    private String memory = "0";
    private String disk = "0";

    /** Sandboxes of a project that is made without saying how many. */
    @PositiveOrZero public int getSandboxes() {
        return sandboxes;
    }

    public void setSandboxes(int sandboxes) {
        this.sandboxes = sandboxes;
    }

    @PositiveOrZero public int getTerminals() {
        return terminals;
    }

    public void setTerminals(int terminals) {
        this.terminals = terminals;
    }

    /** Event streams at one process. */
    @PositiveOrZero public int getEventStreams() {
        return eventStreams;
    }

    public void setEventStreams(int eventStreams) {
        this.eventStreams = eventStreams;
    }

    /** Cores of all its sandboxes that are not stopped. */
    @PositiveOrZero public double getCpu() {
        return cpu;
    }

    public void setCpu(double cpu) {
        this.cpu = cpu;
    }

    /** Memory of all its sandboxes that are not stopped, such as {@code 64g}. */
    public String getMemory() {
        return memory;
    }

    public void setMemory(String memory) {
        ByteSize.parse(memory);
        this.memory = memory;
    }

    /** Disks of all its sandboxes, such as {@code 500g}. */
    public String getDisk() {
        return disk;
    }

    public void setDisk(String disk) {
        ByteSize.parse(disk);
        this.disk = disk;
    }

    ProjectLimits limits(ProjectLimitRow own) {
        return new ProjectLimits(
                own.sandboxes(),
                orElse(own.terminals(), terminals),
                orElse(own.streams(), eventStreams),
                orElse(own.cpu(), cpu),
                orElse(own.memory(), ByteSize.parse(memory)),
                orElse(own.disk(), ByteSize.parse(disk)));
    }

    private static <T> T orElse(@Nullable T own, T usual) {
        return own == null ? usual : own;
    }
}
