package io.bivouac.sandboxes.template.build;

import java.time.Duration;
import java.util.List;

/**
 * How a template shows that it works: a command that succeeds, after the start command has been started.
 *
 * @param command an argv; for a port one that connects to it
 */
record ReadyCheck(List<String> command, Duration within) {
    static final Duration USUAL = Duration.ofSeconds(60);
    static final Duration LONGEST = Duration.ofMinutes(10);

    static ReadyCheck port(int port, Duration within) {
        return new ReadyCheck(List.of("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + port), within);
    }
}
