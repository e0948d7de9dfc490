package io.bivouac.webhooks.crash;

import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.webhooks.fixture.Api;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** The process that changes sandboxes and carries what is said of them to Kafka; asked by a line, answered by one. */
final class Server implements AutoCloseable {
    private final Program program;
    private final URI url;

    private Server(Program program) throws IOException {
        this.program = program;
        this.url = URI.create(answer().getFirst());
    }

    /** Returns when it is ready. */
    static Server start(CrashStack stack, @Nullable FaultPoint stop) throws IOException {
        var settings = Map.of("BIVOUAC_API_KEY", TestStack.API_KEY, "BIVOUAC_WEBHOOKS_DISPATCH", "false");
        return new Server(Program.start(ServerProgram.class, stack, stop, settings));
    }

    Program program() {
        return program;
    }

    /** A new project. */
    Api project() throws IOException {
        var words = ask("project");
        return new Api(url, words.get(1), words.get(0));
    }

    /** Makes a sandbox and changes it; the ids of its events, or none when the server could not. */
    List<String> change(String project) throws IOException {
        return ask("change " + project);
    }

    private List<String> ask(String question) throws IOException {
        program.input().write(question + "\n");
        program.input().flush();
        return answer();
    }

    private List<String> answer() throws IOException {
        var line = program.output().readLine();
        if (line == null) {
            throw new AssertionError("the server has ended: " + program.log());
        }
        return line.isEmpty() ? List.of() : List.of(line.split(" "));
    }

    @Override
    public void close() throws InterruptedException {
        program.close();
    }
}
