package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.cgroup.CgroupDetection;
import io.bivouac.runtimes.bubblewrap.disk.DiskSettings;
import io.bivouac.runtimes.bubblewrap.disk.Disks;
import io.bivouac.runtimes.bubblewrap.disk.SubordinateIds;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.runtime.Check;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Looks at what bubblewrap's sandboxes need of this machine: one check for each, with what its lack costs and the
 * command that mends it. Nothing that it finds changes how sandboxes are made.
 */
public final class MachineExamination {
    private static final String START_AS_ROOT = "start bivouac-server as root";

    private final BubblewrapSettings settings;
    private final Path agent;
    private final Path scratch;

    /**
     * @param agent the agent's program
     * @param scratch a folder for what programs say
     */
    public MachineExamination(BubblewrapSettings settings, Path agent, Path scratch) {
        this.settings = settings;
        this.agent = agent;
        this.scratch = scratch;
    }

    public List<Check> run() {
        return List.of(bubblewrap(), namespaces(), subordinateIds(), cgroups(), loopDevices(), fuse());
    }

    private Check bubblewrap() {
        if (!Files.isExecutable(settings.bwrap())) {
            return Check.wrong(
                    "bubblewrap",
                    "there is no program " + settings.bwrap(),
                    "No sandbox can be made.",
                    "apt-get install bubblewrap (or dnf, pacman, apk), or set BIVOUAC_BUBBLEWRAP_BWRAP to its place");
        }
        var said = TriedProgram.run(scratch, List.of(settings.bwrap().toString(), "--version"));
        return said.worked()
                ? Check.fine("bubblewrap", said.firstLine() + " at " + settings.bwrap())
                : Check.wrong(
                        "bubblewrap",
                        settings.bwrap() + " does not run: " + said.firstLine(),
                        "No sandbox can be made.",
                        "apt-get install --reinstall bubblewrap");
    }

    private Check namespaces() {
        return new UserNamespaces(settings.bwrap(), agent, scratch).examine();
    }

    private Check subordinateIds() {
        var name = "subordinate ids";
        if (Libc.isRoot()) {
            return Check.fine(name, "not needed: the server runs as root and gives each sandbox ids of its own");
        }
        var user = System.getProperty("user.name");
        return SubordinateIds.detect(agent, scratch).isPresent()
                ? Check.fine(name, user + " has some in /etc/subuid and /etc/subgid, and they can be mapped")
                : Check.wrong(
                        name,
                        user + " has none in /etc/subuid and /etc/subgid, or newuidmap is not installed",
                        "Commands run as one user only: the agent and its commands share an id.",
                        "apt-get install uidmap && usermod --add-subuids 100000-165535 --add-subgids 100000-165535 "
                                + user);
    }

    private Check cgroups() {
        var groups = CgroupDetection.detect(Path.of(
                settings.cgroupParent(), "examined-" + ProcessHandle.current().pid()));
        groups.leaveNothingEmpty();
        if (groups.notes().isEmpty()) {
            return Check.fine(
                    "cgroups",
                    "version " + (CgroupDetection.isVersionTwo() ? "2" : "1")
                            + " with memory, processes and cpu, and ours to use");
        }
        return Check.wrong(
                "cgroups",
                String.join(" ", groups.notes()),
                "A sandbox can use all memory, processors and processes of this machine.",
                Libc.isRoot()
                        ? "mount the controllers writable; in a container: docker run --privileged --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup:rw"
                        : START_AS_ROOT);
    }

    private Check loopDevices() {
        var name = "loop devices";
        var costs = "The limit on disk space is not enforced: a sandbox can fill the disk of the data folder.";
        if (settings.disk() == DiskSettings.Kind.FOLDER) {
            return Check.wrong(name, "the settings ask for plain folders", costs, "unset BIVOUAC_BUBBLEWRAP_DISK");
        }
        return Disks.obstacle()
                .map(why -> Check.wrong(name, why, costs, remedyForLoops()))
                .orElseGet(() -> Check.fine(name, "/dev/loop-control and mkfs.ext4 are there"));
    }

    private static String remedyForLoops() {
        if (!Libc.isRoot()) {
            return START_AS_ROOT;
        }
        return Files.exists(Path.of("/dev/loop-control"))
                ? "apt-get install e2fsprogs"
                : "modprobe loop; in a container: docker run --privileged";
    }

    private static Check fuse() {
        Optional<String> obstacle = Views.obstacle();
        return obstacle.map(why -> Check.wrong(
                        "fuse",
                        why,
                        "Terminal sessions cannot show a Pod's files in their sandbox.",
                        Libc.isRoot() ? "modprobe fuse; in a container: docker run --device /dev/fuse" : START_AS_ROOT))
                .orElseGet(() -> Check.fine("fuse", "/dev/fuse is there"));
    }
}
