package io.bivouac.runtimes.kubernetes;

import io.bivouac.agentlink.AgentConnections;
import io.bivouac.agentlink.AgentServer;
import io.bivouac.embedded.EmbeddedPostgres;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.KeyText;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxio.command.CommandOrder;
import io.bivouac.sandboxio.command.CommandOrder.Reading;
import io.bivouac.sandboxio.command.Commands;
import io.bivouac.sandboxio.command.ProcessSettings;
import io.bivouac.sandboxio.command.Program;
import io.bivouac.sandboxio.command.Program.Argv;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.Lifetime;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** One real relay, with its database, for all tests of a run; it ends with the JVM. */
final class TestRelay {
    private static final String KEY = "bvk_test-system-key-0123456789";
    private static final String SECRET = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    private static final Duration LONGEST_REGISTRATION = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Path FOLDER = folder();
    private static final EmbeddedServer SERVER = start();

    private TestRelay() {}

    /** Where agents of the cluster's Pods find it. */
    static Relays relays() {
        var port = bean(AgentServer.class).tlsPort();
        return new Relays(List.of(TestCluster.get().hostAddress() + ":" + port), FOLDER.resolve("authority.pem"));
    }

    /** Runs a command on the way that users' commands take; one right after the start waits for the agent. */
    static ExecResult run(SandboxRuntime runtime, SandboxId id, List<String> argv, ExecOptions options) {
        awaitAgent(runtime, id);
        var program = new Program(new Argv(argv), options.envs(), options.workingFolder(), options.user());
        var order = CommandOrder.of(
                program,
                null,
                Reading.IN_ONE_PIECE,
                options.timeout().toMillis(),
                (long) ExecOptions.LARGEST_OUTPUT,
                bean(ProcessSettings.class));
        try (var result = bean(Commands.class).run(id.value(), caller(), order).block()) {
            if (result.timedOut()) {
                throw new RuntimeFailure(
                        "The command took longer than " + options.timeout().toMillis() + " ms.");
            }
            return new ExecResult(
                    result.exitCode(),
                    result.stdout().text(ExecOptions.LARGEST_OUTPUT),
                    result.stderr().text(ExecOptions.LARGEST_OUTPUT));
        } catch (BivouacException refused) {
            throw new RuntimeFailure(refused.getMessage(), refused);
        }
    }

    private static void awaitAgent(SandboxRuntime runtime, SandboxId id) {
        long deadline = System.nanoTime() + LONGEST_REGISTRATION.toNanos();
        while (!isReady(id)) {
            if (System.nanoTime() - deadline > 0) {
                throw new RuntimeFailure("the agent of " + id + " has not registered");
            }
            mustRun(runtime, id);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        mustRun(runtime, id);
    }

    static boolean isConnected(SandboxId id) {
        return bean(AgentConnections.class).find(id).isPresent();
    }

    private static boolean isReady(SandboxId id) {
        return isConnected(id)
                && bean(SandboxStore.class)
                        .find(id)
                        .filter(sandbox -> sandbox.state() == SandboxState.RUNNING)
                        .isPresent();
    }

    private static void mustRun(SandboxRuntime runtime, SandboxId id) {
        var instance = runtime.get(id).orElseThrow(() -> new NoSuchInstance(id));
        if (instance.state() != Instance.State.RUNNING) {
            throw new RuntimeFailure(id + " is not running");
        }
    }

    private static Caller caller() {
        return bean(ApiKeys.class).authenticate(new KeyText(KEY)).orElseThrow();
    }

    /** The same sandbox, as the relay expects it: with a row, and with the token that it will be asked for. */
    static synchronized InstanceSpec expected(InstanceSpec spec) {
        var store = bean(SandboxStore.class);
        if (store.find(spec.id()).isEmpty()) {
            var now = store.now();
            store.add(new Sandbox(
                    spec.id(),
                    caller().project(),
                    new Definition(spec.template().name(), null, spec.resources(), Map.of(), Map.of(), null),
                    new Placement(KubernetesRuntime.NAME, "here"),
                    Status.of(SandboxState.STARTING, now),
                    Lifetime.startingAt(now, Duration.ofHours(1)),
                    now,
                    0,
                    0));
        }
        return new InstanceSpec(
                spec.id(),
                spec.project(),
                spec.template(),
                spec.resources(),
                spec.envs(),
                bean(SandboxTokens.class).joinToken(spec.id()),
                spec.workspaceOf(),
                spec.nestedSandbox());
    }

    static <T> T bean(Class<T> type) {
        return SERVER.getApplicationContext().getBean(type);
    }

    private static Path folder() {
        try {
            var folder = Files.createTempDirectory("bivouac-relay");
            // The database is not root's.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedServer start() {
        var postgres = EmbeddedPostgres.start(FOLDER.resolve("postgres"), 0);
        var server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "bivouac.database.url",
                        postgres.url(),
                        "bivouac.secret-key",
                        SECRET,
                        "bivouac.api-key",
                        KEY,
                        "bivouac.encryption-key",
                        SECRET,
                        "bivouac.data-dir",
                        FOLDER.toString(),
                        "bivouac.agent.port",
                        0,
                        "bivouac.agent.host",
                        TestCluster.get().hostAddress(),
                        "bivouac.agent.authority-file",
                        FOLDER.resolve("authority.pem").toString(),
                        "micronaut.server.port",
                        -1));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            postgres.close();
            delete(FOLDER);
        }));
        return server;
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
