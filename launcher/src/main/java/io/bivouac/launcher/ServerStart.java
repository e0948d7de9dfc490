package io.bivouac.launcher;

import io.bivouac.foundation.access.LoginLinks;
import io.bivouac.http.health.ReadinessChecks;
import io.bivouac.launcher.DataFolder.Stored;
import io.bivouac.launcher.LauncherSettings.LogTarget;
import io.bivouac.sandboxes.warm.WarmPool;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** A start from top to bottom. */
record ServerStart(LauncherSettings settings, Progress progress) {
    void run() {
        long started = System.nanoTime();
        SettingsCheck.run(settings);
        settings.services().mustBeComplete(settings);
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

        SettingsCheck.keys(apiKey.value(), tokenKey, encryptionKey);
        var tls = settings.tls() ? TlsProperties.of(settings, address) : Map.<String, Object>of();

        var shutdown = Shutdown.onExit(progress);
        var backing = Backing.start(settings, data, progress, shutdown);
        long servicesStarted = System.nanoTime();
        var properties =
                ServiceProperties.of(settings, data, address, backing, apiKey.value(), tokenKey, encryptionKey);
        properties.putAll(tls);
        var services = startServices(properties, data, shutdown);
        shutdown.first(services.getBean(Departure.class)::begin);
        shutdown.tell(() -> StopNotice.of(services.getBean(SandboxRuntime.class)));
        var shortfalls = Shortfalls.lookFor(services);
        services.getBean(WarmUp.class).run(new RequestRehearsal(URI.create(address.url()), apiKey.value()));
        backing.awaitKafka();
        progress.done("Services on " + address.url(), servicesStarted);
        shortfalls.print(progress);
        var readiness = services.getBean(ReadinessChecks.class).ask();
        Welcome.print(progress, settings, data, address, apiKey, loginCode(services, apiKey), readiness, started);
        // Open already, unless the warm-up found the runtime slow: then nobody waits for the pool.
        services.getBean(WarmPool.class).open();
    }

    /** Not where the first lines go into a log: nothing that logs in belongs there. */
    private Optional<String> loginCode(ApplicationContext services, Stored apiKey) {
        boolean logged = settings.log() == LogTarget.STDOUT || System.getenv("JOURNAL_STREAM") != null;
        return logged ? Optional.empty() : services.getBean(LoginLinks.class).issue(apiKey.value());
    }

    /** A context that did not start closes nothing by itself; the runtime has mounts to take down. */
    private static void letGo(ApplicationContext context) {
        context.getActiveBeanRegistrations(SandboxRuntime.class).stream()
                .map(BeanRegistration::getBean)
                .filter(AutoCloseable.class::isInstance)
                .map(AutoCloseable.class::cast)
                .forEach(ServerStart::close);
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception failed) {
            LoggerFactory.getLogger(ServerStart.class).warn("a part could not be closed", failed);
        }
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
            letGo(context);
            throw new StartRefused(
                    "The services did not start: %s (more in %s)"
                            .formatted(Causes.ofFirst(failed), data.resolve("logs/server.log")),
                    failed);
        }
    }
}
