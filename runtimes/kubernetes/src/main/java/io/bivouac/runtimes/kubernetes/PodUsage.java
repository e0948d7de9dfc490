package io.bivouac.runtimes.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.Usage;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a Pod uses, as its agent's own program sees it from inside. A cluster's metrics are half a minute old and know
 * neither processes nor network; asking the kubelet for more would take rights over whole nodes.
 */
final class PodUsage {
    private static final Duration OLDEST = Duration.ofMinutes(1);
    private static final double MICROS = 1e6;
    private static final double NANOS = 1e9;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PodExec programs;
    private final ConcurrentHashMap<String, Reading> readings = new ConcurrentHashMap<>();

    /** @param at nanoseconds of this process's clock */
    private record Reading(long at, long cpuMicros) {}

    PodUsage(PodExec programs) {
        this.programs = programs;
    }

    Usage of(SandboxRecord record) {
        var pod = record.id().value();
        var before = readings.get(pod);
        if (before == null || System.nanoTime() - before.at() > OLDEST.toNanos()) {
            before = reading(ask(pod));
        }
        var now = ask(pod);
        var reading = reading(now);
        readings.put(pod, reading);
        var limits = record.resources();
        double cores = Math.max(
                0, (reading.cpuMicros() - before.cpuMicros()) / MICROS / ((reading.at() - before.at()) / NANOS));
        return new Usage(
                new Usage.Cpu(cores, limits.cpu()),
                new Usage.Bytes(Math.min(number(now, "memoryBytes"), limits.memoryBytes()), limits.memoryBytes()),
                // In the Pod's own layer the file system is the whole node's.
                new Usage.Bytes(record.claim().isPresent() ? number(now, "diskBytes") : 0, limits.diskBytes()),
                new Usage.Network(number(now, "receivedBytes"), number(now, "sentBytes")),
                number(now, "processes"));
    }

    /** Of one that does not run. */
    static Usage nothing(SandboxRecord record) {
        var limits = record.resources();
        return new Usage(
                new Usage.Cpu(0, limits.cpu()),
                new Usage.Bytes(0, limits.memoryBytes()),
                new Usage.Bytes(0, limits.diskBytes()),
                new Usage.Network(0, 0),
                0);
    }

    void forget(String pod) {
        readings.remove(pod);
    }

    private JsonNode ask(String pod) {
        var text = programs.run(pod, PodRecipe.AGENT, "usage", PodRecipe.WORKSPACE);
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException other) {
            throw new RuntimeFailure("The Pod " + pod + " does not say what it uses.", other);
        }
    }

    private static Reading reading(JsonNode told) {
        return new Reading(System.nanoTime(), number(told, "cpuMicros"));
    }

    private static long number(JsonNode told, String name) {
        return Math.max(0, told.path(name).asLong());
    }
}
