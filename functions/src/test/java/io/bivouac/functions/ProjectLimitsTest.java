package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProjectLimitsTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";
    private static final String ANY = "{\"template\":\"default\"}";

    private final TestServer server = TestServer.shared();

    @Test
    void aProjectShowsItsLimitsAndWhatItUses() {
        var project = project("{\"sandboxes\":7,\"cpu\":2.5,\"memory\":\"4g\"}");
        project.newSandbox();
        var shown = project.get("/api/v1/projects/current");
        assertThat(shown.text("/limits/sandboxes")).isEqualTo("7");
        assertThat(shown.text("/limits/terminals")).isEqualTo("200");
        assertThat(shown.text("/limits/eventStreams")).isEqualTo("500");
        assertThat(shown.text("/limits/cpu")).isEqualTo("2.5");
        assertThat(shown.text("/limits/memory")).isEqualTo("4g");
        assertThat(shown.body()).contains("\"disk\":null");
        assertThat(shown.text("/usage/sandboxes")).isEqualTo("1");
        assertThat(shown.text("/usage/terminals")).isEqualTo("0");
        assertThat(shown.text("/usage/cpu")).isEqualTo("1.0");
        assertThat(shown.text("/usage/memory")).isEqualTo("512m");
        assertThat(shown.text("/usage/disk")).isEqualTo("1g");
        var path = "/api/v1/projects/" + shown.text("/id");
        assertThat(project.get(path).status()).isEqualTo(200);
        assertThat(server.client().get(path).status()).isEqualTo(200);
        assertThat(server.newProject().get(path).problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(server.client().get("/api/v1/projects/prj_none").problem()).isEqualTo("404 1006 NOT_FOUND");
    }

    @Test
    void onlyTheSystemsAdminChangesLimitsAndOnlyThoseNamed() {
        var project = project("{}");
        var path = "/api/v1/projects/" + project.get("/api/v1/projects/current").text("/id");
        assertThat(project.patch(path, "{\"limits\":{\"terminals\":9}}").problem())
                .isEqualTo("403 1002 FORBIDDEN");
        var changed = server.client().patch(path, "{\"limits\":{\"terminals\":9,\"disk\":\"10g\"}}");
        assertThat(changed.text("/limits/terminals")).isEqualTo("9");
        assertThat(changed.text("/limits/disk")).isEqualTo("10g");
        assertThat(changed.text("/limits/sandboxes")).isEqualTo("500");
        assertThat(server.client().patch(path, "{\"limits\":{\"disk\":\"0\"}}").body())
                .contains("\"disk\":null");
        for (var wrong : new String[] {
            "{\"limits\":{\"terminals\":-1}}", "{\"limits\":{\"memory\":\"much\"}}", "{\"limits\":{\"cpus\":1}}"
        }) {
            assertThat(server.client().patch(path, wrong).problem()).as(wrong).isEqualTo("400 1003 INVALID_REQUEST");
        }
    }

    @Test
    void aCreateThatWouldExceedALimitSaysWhichAndByHowMuch() {
        var project = project("{\"memory\":\"1g\"}");
        project.newSandbox();
        var refused = project.post(SANDBOXES, "{\"template\":\"default\",\"resources\":{\"memory\":\"768m\"}}");
        assertThat(refused.problem()).isEqualTo("429 2008 PROJECT_LIMIT_EXCEEDED");
        assertThat(refused.text("/detail"))
                .startsWith(
                        "The project's limit of memory is 1g: its sandboxes have 512m, and this one asks for 768m.");
        assertThat(project.get("/api/v1/projects/current").text("/usage/sandboxes"))
                .isEqualTo("1");
    }

    @Test
    void aStoppedSandboxNeedsRoomToStartAgain() {
        var project = project("{\"cpu\":1}");
        var stopped = project.newSandbox();
        assertThat(project.post(SANDBOXES + "/" + stopped + "/stop", "").status())
                .isEqualTo(200);
        var other = project.newSandbox();
        var refused = project.post(SANDBOXES + "/" + stopped + "/start", "");
        assertThat(refused.problem()).isEqualTo("429 2008 PROJECT_LIMIT_EXCEEDED");
        assertThat(refused.text("/detail")).contains("its sandboxes have 1 cores, and this one asks for 1 cores");
        assertThat(project.get(SANDBOXES + "/" + stopped).text("/state")).isEqualTo("stopped");
        assertThat(project.delete(SANDBOXES + "/" + other).status()).isBetween(200, 204);
        assertThat(project.post(SANDBOXES + "/" + stopped + "/start", "").status())
                .isEqualTo(200);
    }

    @Test
    void manyCreatesAtOnceStayWithinTheLimits() throws Exception {
        var project = project("{\"sandboxes\":9,\"cpu\":5}");
        try (var makers = Executors.newFixedThreadPool(24)) {
            var answers = IntStream.range(0, 40)
                    .mapToObj(_ ->
                            makers.submit(() -> project.post(SANDBOXES, ANY).status()))
                    .toList();
            int made = 0;
            for (var answer : answers) {
                assertThat(answer.get()).isIn(201, 429);
                made += answer.get() == 201 ? 1 : 0;
            }
            assertThat(made).isEqualTo(5);
        }
        assertThat(project.get("/api/v1/projects/current").text("/usage/cpu")).isEqualTo("5.0");
    }

    @Test
    void noSandboxAsksForMoreThanItsHostHas() {
        var project = server.newProject();
        var refused = project.post(SANDBOXES, "{\"template\":\"default\",\"resources\":{\"memory\":\"255g\"}}");
        assertThat(refused.problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(refused.text("/detail"))
                .startsWith("resources.memory must be between 16m and ")
                .contains("but is 255g. This host has ");
        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(project.post(SANDBOXES, "{\"template\":\"default\",\"resources\":{\"cpu\":" + (cores + 1) + "}}")
                        .text("/detail"))
                .contains("This host has " + cores + ".0 cores");
    }

    /** The admin of a new project with these limits. */
    private Client project(String limits) {
        var made = server.client()
                .post("/api/v1/projects", "{\"name\":\"p-" + UUID.randomUUID() + "\",\"limits\":" + limits + "}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return server.client().as(made.text("/key"));
    }
}
