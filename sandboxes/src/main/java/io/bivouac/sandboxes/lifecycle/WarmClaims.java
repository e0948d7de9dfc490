package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.warm.WarmPool;
import io.bivouac.sandboxes.warm.WarmSandbox;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes sandboxes from the pool for the creates that they fit. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
class WarmClaims {
    private static final Logger LOG = LoggerFactory.getLogger(WarmClaims.class);

    private final WarmPool pool;
    private final InstanceSpecs specs;
    private final SandboxRuntime runtime;

    WarmClaims(WarmPool pool, InstanceSpecs specs, SandboxRuntime runtime, LifecycleCalls calls) {
        this.pool = pool;
        this.specs = specs;
        this.runtime = runtime;
        pool.pauseWhile(calls::areUnderWay);
    }

    /** The draft, under the id of one that runs already where one fits. */
    Draft claimFor(Sandbox draft, StartPlan plan) {
        if (plan.hasOwnStep()) {
            return new Draft(draft, null, this);
        }
        var warm = pool.take(specs.of(draft));
        return new Draft(warm.map(found -> draft.as(found.id())).orElse(draft), warm.orElse(null), this);
    }

    boolean give(Sandbox sandbox) {
        try {
            pool.give(specs.of(sandbox));
            return true;
        } catch (RuntimeFailure failed) {
            LOG.info("{} is started anew: what was started ahead is of no use: {}", sandbox.id(), failed.getMessage());
            return false;
        }
    }

    void putBack(WarmSandbox untouched) {
        pool.putBack(untouched);
    }

    void discard(WarmSandbox touched) {
        pool.discard(touched);
    }

    void settled(WarmSandbox stored) {
        pool.settled(stored);
    }

    /** At once, as the sandbox with this id is about to be made anew. */
    void remove(WarmSandbox broken) {
        try {
            runtime.remove(broken.id(), false);
        } catch (NoSuchInstance gone) {
            LOG.debug("{} was gone already", broken.id());
        }
    }
}
