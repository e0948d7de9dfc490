package io.bivouac.agentlink.testing;

import io.bivouac.agentlink.AgentServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A {@link TestRelay} as a process of its own, to be killed. It has the same database as those of this process. */
public final class RelayProcess implements AutoCloseable {
    private static final String READY = "relay is ready: ";

    private final Process process;
    private final String url;
    private final int tlsPort;

    private RelayProcess(Process process, String url, int tlsPort) {
        this.process = process;
        this.url = url;
        this.tlsPort = tlsPort;
    }

    public static RelayProcess start(Map<String, Object> settings) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                RelayProcess.class.getName(),
                "bivouac.database.url=" + TestDatabase.url()));
        settings.forEach((name, value) -> command.add(name + "=" + value));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new StringBuilder();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith(READY)) {
                var words = line.substring(READY.length()).split(" ");
                Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {}));
                return new RelayProcess(process, words[0], Integer.parseInt(words[1]));
            }
        }
        throw new AssertionError("the relay did not start:\n" + said);
    }

    public Http http() {
        return new Http(url, TestRelay.KEY);
    }

    public int tlsPort() {
        return tlsPort;
    }

    /** As by {@code kill -9}. */
    public void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    /** Ends with the process that started it. */
    public static void main(String[] arguments) throws IOException {
        var settings = new HashMap<String, Object>();
        for (var argument : arguments) {
            int end = argument.indexOf('=');
            settings.put(argument.substring(0, end), argument.substring(end + 1));
        }
        var relay = TestRelay.start(settings);
        System.out.println(
                READY + relay.url() + " " + relay.bean(AgentServer.class).tlsPort());
        while (System.in.read() >= 0) {
            // Nothing is said to it; it waits for the end.
        }
        Runtime.getRuntime().halt(0);
    }
}
