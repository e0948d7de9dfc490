package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/** A background command that counts aloud: whoever reads it sees at once whether it was interrupted. */
final class CountingCommand {
    /** What an agent has to come back. */
    private static final Duration RETURN = Duration.ofMinutes(2);

    private static final String COUNT = "i=0; while true; do i=$((i+1)); echo $i; sleep 0.1; done";

    private final String sandbox;
    private final String command;
    private long offset;
    private long next = 1;

    private CountingCommand(String sandbox, String command) {
        this.sandbox = sandbox;
        this.command = command;
    }

    static CountingCommand start(Api api) throws IOException, InterruptedException {
        var sandbox = api.created();
        var run = api.run(sandbox, COUNT, ", \"background\": true");
        return new CountingCommand(sandbox, Api.text(run, "commandId"));
    }

    String sandbox() {
        return sandbox;
    }

    /** Reads on where the last reading ended: no number is missing or said twice. */
    void goesOn(Api api) throws Exception {
        long started = System.nanoTime();
        var seen = read(api);
        while (seen.isEmpty()) {
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .as("until output of %s in %s could be read from offset %d", command, sandbox, offset)
                    .isLessThan(RETURN);
            Thread.sleep(200);
            seen = read(api);
        }
        var whole = seen.substring(0, seen.lastIndexOf('\n') + 1);
        for (var number : Arrays.asList(whole.split("\n"))) {
            assertThat(number).as("%s at offset %d", command, offset).isEqualTo("" + next);
            next++;
        }
        offset += whole.length();
    }

    private String read(Api api) throws IOException, InterruptedException {
        return api.readFor(
                Duration.ofMillis(500),
                "/api/v1/sandboxes/%s/process/%s/output?stream=stdout&offset=%d".formatted(sandbox, command, offset));
    }
}
