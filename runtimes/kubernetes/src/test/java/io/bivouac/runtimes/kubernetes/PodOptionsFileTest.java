package io.bivouac.runtimes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.runtimes.kubernetes.KubernetesSettings.Workspace;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodOptionsFileTest {
    @TempDir
    private Path folder;

    @Test
    void aTemplateHasItsOwnAndAllOthersThoseOfTheStar() throws IOException {
        var options = read("""
                pods:
                  "*": {runtimeClass: gvisor}
                  gpu:
                    nodeSelector: {kind: gpu}
                    tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]
                    workspace: volume
                    storageClass: fast
                    userNamespace: true
                """);
        assertThat(options.of("default").runtimeClass()).isEqualTo("gvisor");
        assertThat(options.of("default").lasts()).isFalse();
        var gpu = options.of("gpu");
        assertThat(gpu.runtimeClass()).isNull();
        assertThat(gpu.nodeSelector()).containsEntry("kind", "gpu");
        assertThat(gpu.tolerations())
                .containsExactly(new TolerationBuilder()
                        .withKey("gpu")
                        .withOperator("Exists")
                        .withEffect("NoSchedule")
                        .build());
        assertThat(gpu.workspace()).isEqualTo(Workspace.VOLUME);
        assertThat(gpu.storageClass()).isEqualTo("fast");
        assertThat(gpu.userNamespace()).isTrue();
    }

    @Test
    void whatIsNotKnownIsRefusedByName() {
        assertThatThrownBy(() -> read("pods: {default: {privileged: true}}"))
                .hasMessageContaining("default has an unknown key privileged");
        assertThatThrownBy(() -> read("pods: {default: {workspace: disk}}")).hasMessageContaining("pod or volume");
        assertThatThrownBy(() -> read("pods: {default: {tolerations: [{seconds: 3}]}}"))
                .hasMessageContaining("toleration");
        assertThatThrownBy(() -> read("pods: [default]")).hasMessageContaining("pods must be a map");
    }

    private PodOptionsFile read(String yaml) throws IOException {
        var file = Files.writeString(folder.resolve("pods.yaml"), yaml);
        var settings = new KubernetesSettings();
        settings.setPods(file);
        return PodOptionsFile.read(settings);
    }
}
