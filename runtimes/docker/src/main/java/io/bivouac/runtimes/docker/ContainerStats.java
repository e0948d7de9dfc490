package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.model.MemoryStatsConfig;
import com.github.dockerjava.api.model.Statistics;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.Usage;
import java.time.Duration;
import java.time.Instant;

/** Measures a running container. */
final class ContainerStats {
    /** Between the two samples that tell how busy it is. */
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final Engine engine;

    ContainerStats(Engine engine) {
        this.engine = engine;
    }

    Usage measure(String container, double cpuLimit, long memoryLimit, Usage.Bytes disk) {
        var before = engine.sample(container);
        try {
            Thread.sleep(INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RuntimeFailure("Measuring was interrupted.", e);
        }
        var now = engine.sample(container);
        return new Usage(
                new Usage.Cpu(cores(before, now), cpuLimit),
                new Usage.Bytes(memory(now.getMemoryStats()), memoryLimit),
                disk,
                network(now),
                orZero(now.getPidsStats() == null ? null : now.getPidsStats().getCurrent()));
    }

    private static double cores(Statistics before, Statistics now) {
        long busy = cpuNanos(now) - cpuNanos(before);
        long passed = Duration.between(Instant.parse(before.getRead()), Instant.parse(now.getRead()))
                .toNanos();
        // A container that has ended between the samples counts from zero again.
        return passed <= 0 || busy < 0 ? 0 : (double) busy / passed;
    }

    private static long cpuNanos(Statistics statistics) {
        var cpu = statistics.getCpuStats();
        return cpu == null || cpu.getCpuUsage() == null
                ? 0
                : orZero(cpu.getCpuUsage().getTotalUsage());
    }

    /** Without the file cache that the kernel would give back at once; cgroup v1 and v2 name it differently. */
    private static long memory(MemoryStatsConfig memory) {
        if (memory == null || memory.getUsage() == null) {
            return 0;
        }
        var details = memory.getStats();
        long cache = details == null
                ? 0
                : details.getTotalInactiveFile() != null
                        ? details.getTotalInactiveFile()
                        : orZero(details.getInactiveFile());
        return Math.max(0, memory.getUsage() - cache);
    }

    private static Usage.Network network(Statistics statistics) {
        long received = 0;
        long sent = 0;
        if (statistics.getNetworks() != null) {
            for (var network : statistics.getNetworks().values()) {
                received += orZero(network.getRxBytes());
                sent += orZero(network.getTxBytes());
            }
        }
        return new Usage.Network(received, sent);
    }

    private static long orZero(Long number) {
        return number == null ? 0 : number;
    }
}
