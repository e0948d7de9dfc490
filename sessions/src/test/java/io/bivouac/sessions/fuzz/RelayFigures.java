package io.bivouac.sessions.fuzz;

import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.sandboxmodel.SandboxId;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;

/**
 * What a relay holds for its clients. Its own figures, since a dump of all threads, virtual ones too, has crashed the JDK
 * (25.0.3, in ThreadSnapshot) when it was asked for again and again.
 *
 * @param attachments clients of terminals and of commands
 * @param readers streams of agents that somebody reads
 * @param running commands of the sandbox, those in terminals among them
 * @param tasks threads that do something for a client
 */
record RelayFigures(int attachments, int readers, long running, int tasks) {
    static final RelayFigures NOTHING = new RelayFigures(0, 0, 0, 0);

    static RelayFigures of(TestRelay relay, SandboxId id) {
        return new RelayFigures(
                gauge(relay, "terminal.attachments"),
                gauge(relay, "bivouac.agents.readers"),
                running(relay, id),
                gauge(relay, "terminal.tasks"));
    }

    private static long running(TestRelay relay, SandboxId id) {
        var agent = relay.bean(AgentConnections.class).get(id);
        return agent.commands().stream().filter(CommandInfo::getRunning).count();
    }

    private static int gauge(TestRelay relay, String name) {
        return (int) relay.bean(MeterRegistry.class).get(name).gauge().value();
    }

    /** What is in use after the garbage was collected, in MiB. */
    static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }
}
