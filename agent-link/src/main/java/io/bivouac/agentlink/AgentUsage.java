package io.bivouac.agentlink;

import io.bivouac.agent.v1.Usage;
import java.time.Instant;

/** What an agent last said that its sandbox uses. */
public record AgentUsage(Instant at, long cpuMicros, long memoryBytes, long diskBytes, int processes) {
    static AgentUsage of(Usage usage, Instant now) {
        return new AgentUsage(
                now,
                Math.max(0, usage.getCpuMicros()),
                Math.max(0, usage.getMemoryBytes()),
                Math.max(0, usage.getDiskBytes()),
                Math.max(0, usage.getProcesses()));
    }
}
