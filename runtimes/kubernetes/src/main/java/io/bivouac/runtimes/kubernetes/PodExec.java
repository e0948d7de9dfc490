package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a program of the agent's in a Pod, by the API server. */
final class PodExec {
    /** More is not expected, and not kept. */
    private static final int MOST_OUTPUT = 64 * 1024;

    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final Pods pods;

    PodExec(Pods pods) {
        this.pods = pods;
    }

    /** What it printed; a failure when it did not succeed. */
    String run(String pod, String... argv) {
        var out = new Bounded();
        var err = new Bounded();
        try (var running = pods.at(pod)
                .inContainer(PodRecipe.CONTAINER)
                .writingOutput(out)
                .writingError(err)
                .exec(argv)) {
            var code = running.exitCode().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            if (code == null || code != 0) {
                throw new RuntimeFailure(argv[0] + " failed in the Pod " + pod + " with " + code + ": " + err.text());
            }
            return out.text();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new RuntimeFailure("Waiting for a program in " + pod + " was interrupted.", stopped);
        } catch (KubernetesClientException | ExecutionException | TimeoutException failed) {
            throw new RuntimeFailure("Kubernetes could not run a program in the Pod " + pod + ": " + failed, failed);
        }
    }

    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int one) {
            if (kept.size() < MOST_OUTPUT) {
                kept.write(one);
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            kept.write(bytes, from, Math.min(length, MOST_OUTPUT - kept.size()));
        }

        synchronized String text() {
            return kept.toString(StandardCharsets.UTF_8).strip();
        }
    }
}
