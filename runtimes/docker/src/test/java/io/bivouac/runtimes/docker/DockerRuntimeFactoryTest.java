package io.bivouac.runtimes.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DockerRuntimeFactoryTest {
    private static final Map<String, Object> NEEDED = Map.of(
            "bivouac.data-dir", "/data",
            "bivouac.agent.binary", "/agent",
            "bivouac.agent.socket-folder", "/sockets");

    @Test
    void theSettingMakesDockerTheRuntime() {
        try (var context = context(Map.of("bivouac.runtime", "docker"))) {
            assertThat(context.getBean(SandboxRuntime.class).name()).isEqualTo("docker");
            assertThat(context.getBean(DockerSettings.class))
                    .isEqualTo(new DockerSettings(
                            "unix:///var/run/docker.sock", Path.of("/data"), DockerSettings.Pull.NEVER));
        }
    }

    @Test
    void theEngineAndThePullCanBeSet() {
        var settings = Map.<String, Object>of(
                "bivouac.runtime", "docker", "bivouac.docker.host", "unix:///other", "bivouac.docker.pull", "missing");
        try (var context = context(settings)) {
            assertThat(context.getBean(DockerSettings.class))
                    .isEqualTo(new DockerSettings("unix:///other", Path.of("/data"), DockerSettings.Pull.MISSING));
        }
    }

    @Test
    void otherwiseItIsNotThere() {
        try (var context = context(Map.of("bivouac.runtime", "another"))) {
            assertThat(context.containsBean(DockerSettings.class)).isFalse();
        }
    }

    private static ApplicationContext context(Map<String, Object> settings) {
        var all = TestStack.get().properties();
        all.putAll(NEEDED);
        all.putAll(settings);
        return ApplicationContext.builder()
                .deduceEnvironment(false)
                .properties(all)
                .start();
    }
}
