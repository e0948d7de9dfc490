package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.disk.Disk;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.StripedLocks;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.Check;
import io.bivouac.sandboxmodel.runtime.DiskReserve;
import io.bivouac.sandboxmodel.runtime.FolderRights;
import io.bivouac.sandboxmodel.runtime.FolderView;
import io.bivouac.sandboxmodel.runtime.FolderViews;
import io.bivouac.sandboxmodel.runtime.HostCapacity;
import io.bivouac.sandboxmodel.runtime.HostFolders;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.PausableInstances;
import io.bivouac.sandboxmodel.runtime.RelaySockets;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.Usage;
import io.bivouac.sandboxmodel.runtime.WarmInstances;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Sandboxes as namespaces of this machine. */
public final class BubblewrapRuntime implements SandboxRuntime, FolderViews, AutoCloseable {
    public static final String NAME = "bubblewrap";

    private static final int LOCKS = 256;

    private final BubblewrapSettings settings;
    private final AgentFiles agent;
    private final Installation installation;
    private final Machine machine;
    private final Instances instances;
    private final Preparation preparation;
    private final SharedFolders shared;
    private final Supervision supervision;
    private final InstanceStats stats;
    private final TemplatePromises promises;
    private final SoonOnMedium medium = new SoonOnMedium();
    private final StripedLocks locks = new StripedLocks(LOCKS);
    private final Undoing undoing;
    private final RelaySockets sockets;

    /** Made by this process on a fresh disk, and not started yet. */
    private final Set<SandboxId> neverStarted = ConcurrentHashMap.newKeySet();

    public BubblewrapRuntime(BubblewrapSettings settings, AgentFiles agent, Installation installation, Path data) {
        this(
                settings,
                agent,
                installation,
                Machine.detect(settings, agent.binary(), data.toAbsolutePath(), installation));
    }

    BubblewrapRuntime(BubblewrapSettings settings, AgentFiles agent, Installation installation, Machine machine) {
        this.settings = settings;
        this.agent = agent;
        this.installation = installation;
        this.machine = machine;
        var folder = machine.data().resolve("sandboxes");
        try {
            Files.createDirectories(folder);
            Skeleton.make(folder, "rwx--x--x");
        } catch (IOException e) {
            throw new RuntimeFailure("cannot use the data folder " + machine.data() + ": " + e, e);
        }
        this.instances = new Instances(folder, installation.id());
        this.undoing = new Undoing(instances);
        this.sockets = new RelaySockets(agent.socketFolder());
        this.preparation = new Preparation(machine.guards(), machine.users());
        this.shared = new SharedFolders(machine.data().resolve("shared"));
        this.supervision = new Supervision(agent.binary(), machine.cgroups());
        this.stats = new InstanceStats(machine.cgroups(), machine.disks());
        this.promises = new TemplatePromises(settings.bwrap(), machine.data());
        try {
            new Recovery(instances, machine.cgroups(), machine.disks()).run();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Capabilities capabilities() {
        return machine.capabilities();
    }

    @Override
    public HostCapacity capacity() {
        long disk = machine.disks().reserve().totalBytes();
        return HostCapacity.ofThisMachine(disk == 0 ? Long.MAX_VALUE : disk);
    }

    @Override
    public DiskReserve diskReserve() {
        return machine.disks().reserve();
    }

    @Override
    public List<String> shortcomings(Template template) {
        return promises.shortcomings(template);
    }

    @Override
    public Optional<String> whyMissing(Template template) {
        try {
            TemplateRoot.of(template);
            return Optional.empty();
        } catch (RuntimeFailure missing) {
            return Optional.of(missing.getMessage());
        }
    }

    @Override
    public void check() {
        new MachineCheck(settings, agent, machine.data()).run();
    }

    @Override
    public List<Check> examine() {
        return new MachineExamination(settings, agent.binary(), machine.data()).run();
    }

    @Override
    public Instance create(InstanceSpec spec) {
        var root = TemplateRoot.of(spec.template());
        // Before anything is made: a promise that the root cannot keep.
        root.commands(spec.template());
        return locks.holding(spec.id(), () -> {
            var existing = instances.find(spec.id());
            if (existing.isEmpty()) {
                return make(spec, root);
            }
            boolean anew = !existing.get().root().equals(root.name());
            if (anew) {
                forceEnd(spec.id());
            }
            var disk = machine.disks().require(existing.get().disk());
            return write(spec, root, disk, existing.get().createdAt());
        });
    }

    private Instance make(InstanceSpec spec, TemplateRoot root) {
        var before = spec.workspaceOf() != null ? spec.workspaceOf() : spec.id();
        if (spec.workspaceOf() == null && !machine.disks().isKept(spec.id(), spec.project())) {
            return makeOrUndo(spec, root, machine.disks().take(spec.resources().diskBytes()));
        }
        // One at a time: two sandboxes must not take the same one over.
        synchronized (machine.disks()) {
            var disk = machine.disks()
                    .reuse(before, spec.project(), spec.resources().diskBytes());
            var made = make(spec, root, disk);
            machine.disks().takenOver(before);
            return made;
        }
    }

    private Instance makeOrUndo(InstanceSpec spec, TemplateRoot root, Disk disk) {
        try {
            var made = make(spec, root, disk);
            neverStarted.add(spec.id());
            return made;
        } catch (RuntimeException failed) {
            undoing.take(
                    spec.id(),
                    () -> Removal.delete(instances.folder(spec.id()).instance()),
                    () -> machine.disks().remove(disk.id()),
                    () -> undoing.removeFolder(spec.id()));
            throw failed;
        }
    }

    private Instance make(InstanceSpec spec, TemplateRoot root, Disk disk) {
        return write(spec, root, disk, Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    private Instance write(InstanceSpec spec, TemplateRoot root, Disk disk, Instant createdAt) {
        var folder = instances.folder(spec.id());
        try {
            preparation.prepare(folder, spec, root, disk);
            var instance = new InstanceFile(
                    spec.id().value(),
                    spec.project(),
                    root.name(),
                    shared.etc(root, spec.template()).toString(),
                    shared.commands(root, spec.template()).toString(),
                    Labels.of(spec, installation),
                    createdAt,
                    disk.id(),
                    spec.resources().cpu(),
                    spec.resources().memoryBytes(),
                    spec.resources().diskBytes(),
                    settings.pidsLimit());
            // Last: from now on it exists.
            instances.write(instance);
            medium.add(instances.folder(spec.id()).instance());
            return describe(instance);
        } catch (IOException e) {
            throw new RuntimeFailure("cannot make " + spec.id() + ": " + e, e);
        }
    }

    private void forceEnd(SandboxId id) {
        var folder = instances.folder(id);
        supervision.stop(id, folder, Duration.ZERO);
        try {
            Files.deleteIfExists(folder.supervisorPid());
            Files.deleteIfExists(folder.agentPid());
            Files.deleteIfExists(folder.exit());
        } catch (IOException e) {
            throw new RuntimeFailure("cannot make " + id + " anew: " + e, e);
        }
    }

    @Override
    public void start(SandboxId id) {
        instances.require(id);
        locks.holding(id, () -> {
            var instance = instances.require(id);
            var folder = instances.folder(id);
            if (supervision.process(folder).isEmpty()) {
                try {
                    start(instance, folder);
                } catch (RuntimeException failed) {
                    undoStart(instance);
                    throw failed;
                }
            }
            neverStarted.remove(id);
            return instance;
        });
    }

    private void start(InstanceFile instance, SandboxFolder folder) {
        var disk = machine.disks().require(instance.disk());
        // First: relays open their sockets while the rest is made ready.
        makeSockets(instance.sandbox(), disk);
        machine.disks().attach(disk);
        var cgroups = machine.cgroups().create(instance.id(), instance.limits());
        writeSuperviseSpec(folder, instance, disk, cgroups);
        supervision.start(instance.sandbox(), folder);
    }

    /** Its agent's id alone can enter. */
    private void makeSockets(SandboxId id, Disk disk) {
        var folder = sockets.make(id);
        try {
            if (disk.uid() != null) {
                Libc.chown(folder, disk.uid(), disk.uid());
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot start " + id + ": " + e, e);
        }
    }

    /** Of one that never ran nothing stays: it holds nobody's work. Any other is as if it had been stopped. */
    private void undoStart(InstanceFile instance) {
        var id = instance.sandbox();
        undoing.take(
                id,
                () -> supervision.stop(id, instances.folder(id), Duration.ZERO),
                () -> sockets.remove(id),
                () -> machine.cgroups().remove(id.value()));
        if (neverStarted.remove(id)) {
            undoing.take(
                    id,
                    () -> Removal.delete(instances.folder(id).instance()),
                    () -> machine.disks().remove(instance.disk()),
                    () -> undoing.removeFolder(id));
        }
    }

    private void writeSuperviseSpec(SandboxFolder folder, InstanceFile instance, Disk disk, List<Path> cgroups) {
        var view = Views.of(folder);
        var binds = SuperviseSpec.binds(folder, instance, disk, sockets.of(instance.sandbox()));
        // Last, over whatever the sandbox has there of its own.
        view.ifPresent(seen -> binds.addAll(seen.binds(folder)));
        var spec = new SuperviseSpec(
                instance.id(),
                folder.path().toString(),
                settings.bwrap().toString(),
                agent.binary().toString(),
                disk.uid(),
                SuperviseSpec.UID_COUNT,
                cgroups.stream().map(Path::toString).toList(),
                SuperviseSpec.HOSTNAME,
                SuperviseSpec.root(instance.root()),
                binds,
                machine.guards().outer(),
                view.isPresent(),
                view.map(seen -> seen.forUserOf(disk)).orElse(null),
                machine.disks()
                        .common()
                        .map(all -> new SuperviseSpec.OwnDisk(
                                all.toString(), disk.content().toString()))
                        .orElse(null));
        try {
            Json.write(folder.superviseSpec(), spec);
        } catch (IOException e) {
            throw new RuntimeFailure("cannot start " + instance.id() + ": " + e, e);
        }
    }

    @Override
    public void stop(SandboxId id, Duration grace) {
        instances.require(id);
        locks.holding(id, () -> {
            supervision.stop(id, instances.folder(id), grace);
            sockets.remove(id);
            return id;
        });
    }

    @Override
    public void remove(SandboxId id, boolean keepData) {
        locks.holding(id, () -> {
            var found = instances.find(id);
            found.ifPresent(instance -> {
                end(instance);
                takeDown(instance, keepData);
                neverStarted.remove(id);
            });
            if (!keepData) {
                removeKeptData(id);
            }
            return found;
        });
    }

    @Override
    public void removeOrphan(SandboxId id) {
        locks.holding(id, () -> {
            var found = instances.find(id);
            found.ifPresent(instance -> {
                end(instance);
                takeDown(instance, machine.disks().holdsWork(instance.disk()));
            });
            return found;
        });
    }

    private void end(InstanceFile instance) {
        var id = instance.sandbox();
        supervision.stop(id, instances.folder(id), Duration.ZERO);
        sockets.remove(id);
        machine.cgroups().remove(id.value());
        stats.forget(id);
    }

    private void takeDown(InstanceFile instance, boolean keepData) {
        var folder = instances.folder(instance.sandbox());
        if (keepData) {
            machine.disks().keep(instance.sandbox(), instance.project(), instance.disk());
        }
        Removal.delete(folder.instance());
        if (!keepData) {
            machine.disks().remove(instance.disk());
        }
        Removal.delete(folder.path());
    }

    @Override
    public Optional<Instance> get(SandboxId id) {
        return instances.find(id).map(this::describe);
    }

    @Override
    public List<Instance> list() {
        return instances.list().stream().map(this::describe).toList();
    }

    private Instance describe(InstanceFile instance) {
        var id = instance.sandbox();
        var folder = instances.folder(id);
        var state = supervision.state(id, folder);
        var detail = state == Instance.State.STOPPED
                ? Exit.read(folder)
                        .map(exit -> exit.describe(machine.cgroups().outOfMemoryKills(id.value())))
                        .orElse("its supervisor was killed")
                : null;
        return new Instance(id, instance.project(), state, id.value(), instance.labels(), instance.createdAt(), detail);
    }

    @Override
    public List<KeptData> keptData() {
        return machine.disks().keptData();
    }

    @Override
    public void removeKeptData(SandboxId id) {
        synchronized (machine.disks()) {
            machine.disks().removeKept(id);
        }
    }

    @Override
    public void tidy() {
        machine.disks().tidy();
        undoing.tidy();
    }

    @Override
    public List<LogLine> logs(SandboxId id, LogQuery query) {
        return InstanceLogs.read(
                machine.disks().require(instances.require(id).disk()).log(), query);
    }

    @Override
    public Usage stats(SandboxId id) {
        return stats.of(instances.require(id), supervision.process(instances.folder(id)));
    }

    boolean isMetered(SandboxId id) {
        return stats.isMetered(id);
    }

    @Override
    public Optional<FolderViews> folderViews() {
        return Optional.of(this);
    }

    @Override
    public Optional<HostFolders> hostFolders() {
        return Optional.of(new WorkspaceFolders(instances, machine, agent.binary()));
    }

    @Override
    public Optional<WarmInstances> warmInstances() {
        return Optional.of(new UnownedInstances(instances, supervision, machine, medium, locks));
    }

    @Override
    public Optional<PausableInstances> pausableInstances() {
        return Optional.of(new FrozenInstances(instances, supervision, machine.cgroups(), locks));
    }

    @Override
    public Optional<String> obstacle() {
        return Views.obstacle();
    }

    @Override
    public void show(SandboxId id, FolderView view, FolderRights rights) {
        instances.require(id);
        Views.show(instances.folder(id), view, rights);
    }

    @Override
    public boolean hasView(SandboxId id) {
        return instances.find(id).isPresent() && Views.of(instances.folder(id)).isPresent();
    }

    @Override
    public void grant(SandboxId id, FolderRights rights) {
        instances.require(id);
        Views.grant(instances.folder(id), rights);
    }

    /** Sandboxes go on. */
    @Override
    public void close() {
        medium.close();
        machine.cgroups().leaveNothingEmpty();
        machine.disks().close();
    }
}
