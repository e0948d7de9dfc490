package io.bivouac.runtimes.kubernetes;

import io.bivouac.runtimes.kubernetes.KubernetesSettings.Pull;
import io.bivouac.sandboxmodel.runtime.Installation;
import java.time.Duration;

/** Runtimes on the tests' cluster. */
final class TestRuntimes {
    static final String FIRST = "localhost/bivouac-test:first";
    static final String SECOND = "localhost/bivouac-test:second";

    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private TestRuntimes() {}

    static KubernetesSettings settings() {
        var settings = new KubernetesSettings();
        settings.setConfig(TestCluster.get().configuration());
        settings.setPull(Pull.NEVER);
        return settings;
    }

    static KubernetesRuntime runtime(KubernetesSettings settings, Installation installation) {
        return new KubernetesRuntime(settings, TestRelay.relays(), LONGEST_START, installation);
    }
}
