package io.bivouac.functions;

import io.bivouac.foundation.access.LoginLinks;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.sandboxes.fixture.InMemoryRuntime;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;

/** The control plane on the real database and Kafka, with the in-memory runtime, over real HTTP. */
final class TestServer {
    private static TestServer shared;

    private final EmbeddedServer server;

    private TestServer(Map<String, Object> more) {
        var properties = TestStack.get().propertiesWithKafka();
        properties.put("bivouac.runtime", "memory");
        properties.put("bivouac.host-name", "host-" + UUID.randomUUID());
        properties.put("micronaut.server.port", -1);
        properties.putAll(more);
        server = ApplicationContext.run(EmbeddedServer.class, properties);
    }

    static synchronized TestServer shared() {
        if (shared == null) {
            shared = new TestServer(Map.of());
        }
        return shared;
    }

    static TestServer with(Map<String, Object> more) {
        return new TestServer(more);
    }

    /** Speaks as the system's administrator. */
    Client client() {
        return new Client(server.getURL(), TestStack.API_KEY);
    }

    /** Speaks as the admin of a new project. */
    Client newProject(int sandboxLimit) {
        var made = client().post(
                        "/api/v1/projects",
                        "{\"name\":\"p-" + UUID.randomUUID() + "\",\"sandboxLimit\":" + sandboxLimit + "}");
        return client().as(made.text("/key"));
    }

    Client newProject() {
        return newProject(100);
    }

    InMemoryRuntime runtime() {
        return server.getApplicationContext().getBean(InMemoryRuntime.class);
    }

    LoginLinks loginLinks() {
        return server.getApplicationContext().getBean(LoginLinks.class);
    }

    ExecutorService requestThreads() {
        return server.getApplicationContext().getBean(ExecutorService.class, Qualifiers.byName(TaskExecutors.BLOCKING));
    }

    void stop() {
        server.close();
    }
}
