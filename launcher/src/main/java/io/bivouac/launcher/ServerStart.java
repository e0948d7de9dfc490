package io.bivouac.launcher;

import io.bivouac.http.health.ReadinessChecks;
import io.bivouac.launcher.DataFolder.Stored;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.util.Map;

/** A start from top to bottom. */
record ServerStart(LauncherSettings settings, Progress progress) {
    void run() {
        long started = System.nanoTime();
        var data = DataFolder.take(settings.dataDir());
        Logging.configure(settings.log(), data);
        var address = ListenAddress.choose(settings);
        var apiKey = settings.apiKey()
                .map(key -> new Stored(key, false))
                .orElseGet(() -> data.stored("api-key", Secrets::apiKey));
        var tokenKey = settings.tokenKey()
                .orElseGet(() -> data.stored("secret-key", Secrets::secretKey).value());
        var encryptionKey = settings.encryptionKey()
                .orElseGet(() -> data.stored("secrets-key", Secrets::secretKey).value());

        var shutdown = Shutdown.onExit();
        var backing = Backing.start(settings, data, progress, shutdown);
        long servicesStarted = System.nanoTime();
        var properties =
                ServiceProperties.of(settings, data, address, backing, apiKey.value(), tokenKey, encryptionKey);
        var services = startServices(properties, data, shutdown);
        services.getBean(WarmUp.class).run(new RequestRehearsal(URI.create(address.url()), apiKey.value()));
        backing.awaitKafka();
        progress.done("Services on " + address.url(), servicesStarted);
        var readiness = services.getBean(ReadinessChecks.class).ask();
        Welcome.print(progress, settings, data, address, apiKey, readiness, started);
    }

    private static ApplicationContext startServices(
            Map<String, Object> properties, DataFolder data, Shutdown shutdown) {
        // Not Micronaut.build: its own shutdown hook and ours would wait for each other.
        var context = ApplicationContext.builder()
                .properties(properties)
                .deduceEnvironment(false)
                .banner(false)
                .build();
        shutdown.first(context::close);
        try {
            context.start();
            context.getBean(EmbeddedServer.class).start();
            return context;
        } catch (RuntimeException failed) {
            throw new StartRefused(
                    "The services did not start: %s (more in %s)"
                            .formatted(Causes.ofFirst(failed), data.resolve("logs/server.log")),
                    failed);
        }
    }
}
