package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The chart, by a real Helm: alone, and with each of its options. */
class ChartTest {
    private static final Path CHART =
            Path.of("../infra/helm/bivouac").toAbsolutePath().normalize();
    private static final String[] APART = {
        "services.apart=true", "database.url=postgresql://a:b@c:5432/d", "kafka.bootstrap=kafka:9092"
    };

    private static String helm;

    private record Outcome(int status, String said) {}

    @BeforeAll
    static void findHelm() throws Exception {
        var found = Stream.concat(
                        Stream.ofNullable(System.getenv("PATH"))
                                .flatMap(path -> Stream.of(path.split(":")))
                                .map(folder -> Path.of(folder, "helm")),
                        ofTheCluster().stream())
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "there is no helm here (nor one that the cluster's tests have built)");
        helm = found.get().toString();
    }

    /** The tests with a real cluster build a Helm of their own. */
    private static Optional<Path> ofTheCluster() throws Exception {
        var script = Path.of("../scripts/cluster/build");
        if (!Files.isExecutable(script)) {
            return Optional.empty();
        }
        var process = new ProcessBuilder(script.toString(), "--if-there").start();
        var folder = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return process.waitFor() == 0 ? Optional.of(Path.of(folder, "helm")) : Optional.empty();
    }

    @Test
    void itNeedsNoValueAndGivesNoPrivilege() throws Exception {
        assertThat(run("lint", "--strict", CHART.toString()).said()).contains("0 chart(s) failed");
        var made = template();
        assertThat(kinds(made))
                .contains("StatefulSet", "Service", "Secret", "ServiceAccount", "Role", "RoleBinding", "NetworkPolicy")
                .doesNotContain("Deployment", "Ingress", "ClusterRole", "ClusterRoleBinding", "ServiceMonitor");
        for (var pod : podsOf(made)) {
            var container = (Map<?, ?>) ((List<?>) pod.get("containers")).getFirst();
            assertThat(container.get("securityContext").toString())
                    .contains("runAsNonRoot=true", "allowPrivilegeEscalation=false", "drop=[ALL]");
            assertThat(container.toString())
                    .contains("path=/ready", "path=/health")
                    .contains("{name=BIVOUAC_KUBERNETES_RELAYS, value=team-bivouac-agents.agents.svc:50051}");
        }
        var role = made.stream()
                .filter(one -> "Role".equals(one.get("kind")))
                .findFirst()
                .orElseThrow();
        assertThat(role.get("rules").toString())
                .contains("resources=[pods/exec], verbs=[get, create]")
                .doesNotContain("*");
    }

    @Test
    void servicesApartNeedADatabaseAndAKafkaOutside() throws Exception {
        assertThat(run("template", "x", CHART.toString(), "--set", "services.apart=true")
                        .said())
                .contains("services.apart needs database.url");
        var made = template(APART);
        assertThat(kinds(made)).contains("StatefulSet", "Deployment", "PodDisruptionBudget");
        assertThat(podsOf(made).toString())
                .contains("{name=BIVOUAC_SERVICES, value=relay}")
                .contains("{name=BIVOUAC_SERVICES, value=functions}")
                .contains("{name=BIVOUAC_SERVICES, value=webhooks}");
    }

    @Test
    void everyOptionGivesWhatItNames() throws Exception {
        var options = new HashMap<String, List<String>>();
        options.put("HorizontalPodAutoscaler", List.of("functions.autoscaling.enabled=true"));
        options.put("ScaledObject", List.of("webhooks.keda.enabled=true"));
        options.put("Ingress", List.of("ingress.enabled=true", "ingress.tlsSecret=tls", "previewDomain=b.example.org"));
        options.put("HTTPRoute", List.of("httpRoute.enabled=true", "httpRoute.parentRefs[0].name=gateway"));
        options.put("ServiceMonitor", List.of("metrics.serviceMonitor.enabled=true"));
        options.put("PrometheusRule", List.of("metrics.prometheusRule.enabled=true"));
        options.put("ConfigMap", List.of("metrics.dashboards.enabled=true"));
        var all = new ArrayList<>(List.of(APART));
        for (var option : options.entrySet()) {
            all.addAll(option.getValue());
            assertThat(kinds(template(APART))).as("without " + option.getKey()).doesNotContain(option.getKey());
        }
        assertThat(kinds(template(all.toArray(String[]::new)))).containsAll(options.keySet());

        var keda = new ArrayList<>(List.of(APART));
        keda.addAll(List.of("functions.keda.enabled=true", "functions.keda.prometheus=http://prometheus:9090"));
        assertThat(kinds(template(keda.toArray(String[]::new)))).contains("ScaledObject");

        var knative = new ArrayList<>(List.of(APART));
        knative.addAll(List.of("functions.knative.enabled=true", "webhooks.knative.enabled=true"));
        assertThat(template(knative.toArray(String[]::new)))
                .filteredOn(one -> "serving.knative.dev/v1".equals(one.get("apiVersion")))
                .hasSize(2);
        assertThat(template("runtime=bubblewrap", "server.privileged=true", "persistence.enabled=false")
                        .toString())
                .contains("privileged=true");
        assertThat(template(
                                "image.registry=registry.example.org/x",
                                "image.digest=sha256:" + "0".repeat(64),
                                "settings.BIVOUAC_FRONTS=off",
                                "kafka.existingSecret=login",
                                "keys.existingSecret=keys")
                        .toString())
                .contains("registry.example.org/x/bivouac-server@sha256:")
                .contains("BIVOUAC_FRONTS");
    }

    @Test
    void aValueThatTheChartDoesNotKnowIsRefused() throws Exception {
        for (var wrong : List.of("replicaCount=2", "runtime=docker-compose", "image.digest=latest", "service.port=0")) {
            var refused = run("template", "x", CHART.toString(), "--set", wrong);
            assertThat(refused.status()).as(wrong).isNotZero();
            assertThat(refused.said()).as(wrong).contains("schema");
        }
    }

    private static List<Map<String, Object>> template(String... values) throws Exception {
        var command = new ArrayList<>(List.of("template", "team", CHART.toString(), "--namespace", "agents"));
        for (var value : values) {
            command.add("--set");
            command.add(value);
        }
        var made = run(command.toArray(String[]::new));
        assertThat(made.status()).as(made.said()).isZero();
        var documents = new ArrayList<Map<String, Object>>();
        for (var document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(made.said())) {
            if (document instanceof Map<?, ?> fields) {
                var copy = new HashMap<String, Object>();
                fields.forEach((name, value) -> copy.put(String.valueOf(name), value));
                documents.add(copy);
            }
        }
        return documents;
    }

    private static List<String> kinds(List<Map<String, Object>> documents) {
        return documents.stream().map(one -> String.valueOf(one.get("kind"))).toList();
    }

    private static List<Map<?, ?>> podsOf(List<Map<String, Object>> documents) {
        var pods = new ArrayList<Map<?, ?>>();
        for (var document : documents) {
            if (document.get("spec") instanceof Map<?, ?> spec
                    && spec.get("template") instanceof Map<?, ?> template
                    && template.get("spec") instanceof Map<?, ?> pod) {
                pods.add(pod);
            }
        }
        return pods;
    }

    private static Outcome run(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(helm));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), said);
    }
}
