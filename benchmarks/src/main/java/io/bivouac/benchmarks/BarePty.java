package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** A pseudoterminal on the host, read by a small program: what the kernel itself allows. */
final class BarePty {
    private static final String FLOOD = """
            import os, pty, sys, time
            pid, fd = pty.fork()
            if pid == 0:
                os.execvp("cat", ["cat", sys.argv[1]])
            size, begun = 0, time.perf_counter()
            try:
                while True:
                    piece = os.read(fd, 65536)
                    if not piece: break
                    size += len(piece)
            except OSError:
                pass
            print(size / 1e6 / (time.perf_counter() - begun))
            """;

    private static final String ECHO = """
            import os, pty, sys, time
            pid, fd = pty.fork()
            if pid == 0:
                os.execvp("sh", ["sh", "-c", "stty raw -echo; echo ready; exec cat"])
            while b"ready" not in os.read(fd, 65536): pass
            time.sleep(0.2)
            for i in range(int(sys.argv[1])):
                begun = time.perf_counter_ns()
                os.write(fd, b"x")
                while b"x" not in os.read(fd, 65536): pass
                print(time.perf_counter_ns() - begun)
            """;

    private BarePty() {}

    /** Megabytes a second. */
    static double flood(String file) throws IOException, InterruptedException {
        return Double.parseDouble(run(FLOOD, file).strip());
    }

    static Latencies echo(int count) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        var nanos = new ArrayList<Long>();
        run(ECHO, Integer.toString(count)).lines().map(Long::valueOf).forEach(nanos::add);
        return Latencies.of(nanos, System.nanoTime() - begun);
    }

    private static String run(String program, String argument) throws IOException, InterruptedException {
        var process = new ProcessBuilder("python3", "-c", program, argument)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
