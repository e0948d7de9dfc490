package io.bivouac.sandboxmodel.runtime;

/**
 * An ability that a runtime may have: an instance that was made and started without an owner becomes a sandbox's. Until
 * then its agent waits at the relay. Failures are those of the runtime.
 */
public interface WarmInstances {
    /** Whether a running instance without an owner can become this one. */
    boolean canBecome(InstanceSpec spec);

    /**
     * Gives the running instance with this id to its owner. Project, labels and limits are from now on those of the
     * specification; its variables come by the relay.
     */
    void become(InstanceSpec spec);
}
