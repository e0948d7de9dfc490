package io.bivouac.runtimes.docker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The agent, where it has been built; a property may name another place. */
final class TestAgent {
    private static final String BUILT = "../../agent/target/x86_64-unknown-linux-gnu/release/bivouac-agent";

    private TestAgent() {}

    static Optional<AgentFiles> find(Path sockets) {
        return Optional.of(Path.of(System.getProperty("bivouac.agent.binary", BUILT)))
                .filter(Files::isExecutable)
                .map(binary -> new AgentFiles(binary, sockets));
    }
}
