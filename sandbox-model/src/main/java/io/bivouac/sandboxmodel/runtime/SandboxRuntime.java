package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.template.Template;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One way of running sandboxes. All failures are {@link RuntimeFailure}s with a sentence for a person; an id
 * that names no instance is a {@link NoSuchInstance}.
 */
public interface SandboxRuntime {
    /** The name in settings and rows: {@code bubblewrap}, {@code docker}. */
    String name();

    /** Whether this process makes the sandboxes; else their hosts' own processes do. */
    default boolean isHere() {
        return true;
    }

    /** What this runtime can and cannot do on this machine. */
    Capabilities capabilities();

    /** One sentence for each promise of this template that cannot be kept here; it may take a moment to find out. */
    default List<String> shortcomings(Template template) {
        return whyMissing(template).stream().toList();
    }

    /** Why no sandbox can be made from this template here, as a sentence; empty when its root is there. */
    default Optional<String> whyMissing(Template template) {
        return template.rootFor(name()) == null
                ? Optional.of("Template " + template.name() + " has no root for " + name() + ".")
                : Optional.empty();
    }

    /** What the host has that sandboxes are made on; none may ask for more. */
    default HostCapacity capacity() {
        return HostCapacity.ofThisMachine(Long.MAX_VALUE);
    }

    /** The free disk space that is left to the host itself, and whether it is down to that. */
    default DiskReserve diskReserve() {
        return DiskReserve.NONE;
    }

    /** Why sandboxes may reach more than their rules say, as a sentence; empty where that is not known. */
    default Optional<String> exposure() {
        return Optional.empty();
    }

    /** Throws when no sandbox could be made now; the message says what is missing. */
    void check();

    /** What this runtime needs of its machine, looked at now; it may take a moment. */
    default List<Check> examine() {
        return List.of();
    }

    /**
     * Makes an instance, not yet running. If one with this id exists it is taken over; if it was made from
     * another image it is made anew and keeps its data.
     */
    Instance create(InstanceSpec spec);

    void start(SandboxId id);

    /** Asks the instance to end, and ends it by force after the grace. Data stays. */
    void stop(SandboxId id, Duration grace);

    /**
     * Removes the instance, running or not, and its data unless that is to be kept. What an earlier removal has
     * kept goes as well when nothing is to be kept any more.
     */
    void remove(SandboxId id, boolean keepData);

    /**
     * Removes an instance that no sandbox knows. Its data is kept for whoever may ask for it; where a runtime can tell
     * that there is none, nothing stays.
     */
    default void removeOrphan(SandboxId id) {
        remove(id, true);
    }

    /**
     * Has the listener told of instances that may have ended, also of those that were asked to, where a runtime hears of
     * it by itself. The listener must not wait.
     */
    default void onEnd(Consumer<SandboxId> listener) {}

    Optional<Instance> get(SandboxId id);

    /** All instances of this installation, never another one's. */
    List<Instance> list();

    /** Data kept from instances that were removed. */
    List<KeptData> keptData();

    void removeKeptData(SandboxId id);

    /** Tries again to remove what could not be removed before; called now and then. */
    default void tidy() {}

    List<LogLine> logs(SandboxId id, LogQuery query);

    Usage stats(SandboxId id);

    /** The ability to show sandboxes folders of the host; empty when this runtime does not have it. */
    default Optional<FolderViews> folderViews() {
        return Optional.empty();
    }

    /** The ability to name sandboxes' workspaces on this host; empty when this runtime does not have it. */
    default Optional<HostFolders> hostFolders() {
        return Optional.empty();
    }

    /** The ability to give instances away that were started ahead; empty when this runtime does not have it. */
    default Optional<WarmInstances> warmInstances() {
        return Optional.empty();
    }

    /** The ability to freeze instances; empty when this runtime does not have it. */
    default Optional<PausableInstances> pausableInstances() {
        return Optional.empty();
    }

    /** What a removed sandbox left behind on purpose. */
    record KeptData(SandboxId id, String project, long bytes, Instant keptAt) {}
}
