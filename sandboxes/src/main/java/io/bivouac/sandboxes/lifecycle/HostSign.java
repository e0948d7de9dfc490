package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.host.Hosts;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells processes without a runtime that this one makes sandboxes, as long as it does. */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class HostSign {
    private static final Logger LOG = LoggerFactory.getLogger(HostSign.class);
    private static final Duration RENEW_EVERY = Duration.ofSeconds(2);

    private final Hosts hosts;
    private final SandboxRuntime runtime;
    private final RuntimeHealth health;
    private final Placement here;
    private final Loop loop = new Loop(
            "host-sign",
            this::renew,
            RENEW_EVERY,
            new Outage(LOG, "Others do not hear of this host", "Others hear of this host again"));

    HostSign(Hosts hosts, SandboxRuntime runtime, RuntimeHealth health, Installation installation) {
        this.hosts = hosts;
        this.runtime = runtime;
        this.health = health;
        this.here = new Placement(runtime.name(), installation.host());
    }

    @EventListener
    void start(ServerStartupEvent event) {
        if (runtime.isHere()) {
            loop.start();
        }
    }

    private Duration renew() {
        hosts.isUp(
                here, runtime.capacity(), runtime.capabilities(), health.fault().orElse(null));
        return RENEW_EVERY;
    }

    /** Nothing more is placed here. */
    @PreDestroy
    public void leave() {
        loop.stop();
        if (runtime.isHere()) {
            try {
                hosts.isGone();
            } catch (RuntimeException databaseAway) {
                LOG.debug("Others forget this host in {}", Hosts.SILENCE);
            }
        }
    }
}
