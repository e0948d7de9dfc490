package io.bivouac.webhooks.crash;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.KeyText;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** A server with the outbox and its relay, without sandboxes that run: a line in, a line out, until the end of input. */
final class ServerProgram {
    private static final int MOST_EVENTS = 100;

    private final ApplicationContext context;

    private ServerProgram(ApplicationContext context) {
        this.context = context;
    }

    public static void main(String[] arguments) throws IOException {
        var answers = System.out;
        // What is logged must not be taken for an answer.
        System.setOut(System.err);
        var context = ApplicationContext.builder()
                .properties(Map.of("bivouac.kafka.properties", kafkaProperties(), "micronaut.server.port", -1))
                .deduceEnvironment(false)
                .banner(false)
                .start();
        answers.println(context.getBean(EmbeddedServer.class).start().getURL());
        var program = new ServerProgram(context);
        try (var questions = new BufferedReader(new InputStreamReader(System.in))) {
            for (var question = questions.readLine(); question != null; question = questions.readLine()) {
                answers.println(program.answer(question.split(" ")));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static Map<String, String> kafkaProperties() throws IOException {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(Path.of(System.getenv("BIVOUAC_KAFKA_PROPERTIES")))) {
            properties.load(reader);
        }
        return properties.stringPropertyNames().stream().collect(Collectors.toMap(n -> n, properties::getProperty));
    }

    private String answer(String[] question) {
        try {
            return switch (question[0]) {
                case "project" -> project();
                case "change" -> change(question[1]);
                default -> throw new IllegalArgumentException(question[0]);
            };
        } catch (RuntimeException databaseAway) {
            // Whether the change is committed, the events' table knows.
            System.err.println("not answered: " + databaseAway);
            return "";
        }
    }

    private String project() {
        var admin = context.getBean(ApiKeys.class)
                .authenticate(new KeyText(TestStack.API_KEY))
                .orElseThrow();
        var made = context.getBean(Projects.class).make(admin, "ledger", 10_000);
        return made.project().id() + " " + made.firstKey().value();
    }

    private String change(String project) {
        var store = context.getBean(SandboxStore.class);
        var sandbox = store.add(Drafts.starting(project));
        store.on(sandbox.id(), new AgentRegistered("v1"));
        store.on(sandbox.id(), new AgentRegistered("v2"));
        var events = context.getBean(Outbox.class).history(sandbox.id().value(), 0, MOST_EVENTS);
        return events.items().stream().map(EventRow::id).collect(Collectors.joining(" "));
    }
}
