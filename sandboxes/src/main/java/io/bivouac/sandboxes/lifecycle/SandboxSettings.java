package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.ByteSize;
import io.micronaut.context.annotation.ConfigurationProperties;
import jakarta.validation.constraints.Positive;

/** The most that one sandbox may ask for; never more than its host has, whatever these say. */
@ConfigurationProperties("bivouac.sandbox")
public class SandboxSettings {
    private double maxCpu = 64;
    private String maxMemory = "256g";
    private String maxDisk = "1t";

    /** Cores. */
    @Positive public double getMaxCpu() {
        return maxCpu;
    }

    public void setMaxCpu(double maxCpu) {
        this.maxCpu = maxCpu;
    }

    public String getMaxMemory() {
        return maxMemory;
    }

    public void setMaxMemory(String maxMemory) {
        ByteSize.parse(maxMemory);
        this.maxMemory = maxMemory;
    }

    public String getMaxDisk() {
        return maxDisk;
    }

    public void setMaxDisk(String maxDisk) {
        ByteSize.parse(maxDisk);
        this.maxDisk = maxDisk;
    }
}
