package io.bivouac.runtimes.bubblewrap;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.runtimes.bubblewrap.disk.Disk;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What {@code bivouac-agent supervise} reads.
 *
 * @param uidBase null to be started by an ordinary user
 * @param dieWithParent whether the sandbox ends with its supervisor: one with a view does, for it would go blind
 * @param cgroups folders whose {@code cgroup.procs} the sandbox's first process is written to
 * @param ownDisk null where no disk is mounted
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record SuperviseSpec(
        String sandboxId,
        String folder,
        String bwrap,
        String agent,
        @Nullable Integer uidBase,
        int uidCount,
        List<String> cgroups,
        String hostname,
        Map<String, Object> root,
        List<Bind> binds,
        Map<String, Boolean> guards,
        boolean dieWithParent,
        @Nullable View view,
        @Nullable OwnDisk ownDisk) {
    static final int UID_COUNT = 65_536;
    static final String HOSTNAME = "sandbox";

    private static final List<String> GENERATED_ETC =
            List.of("passwd", "group", "hosts", "hostname", "resolv.conf", "nsswitch.conf");

    /** A folder or file of the host, and where the sandbox sees it. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Bind(String source, String target, boolean readOnly) {}

    /** A folder of the host that the sandbox sees as far as it may, as if it belonged to this id. */
    @Serdeable
    record View(String folder, int uid) {}

    /** Where its disk is mounted, and the mount that this one and all others are below: it lets go of the others. */
    @Serdeable
    record OwnDisk(String all, String content) {}

    static Map<String, Object> root(String root) {
        return root.equals(Template.HOST_ROOT) ? Map.of("host", true) : Map.of("tree", root);
    }

    /** All that can be written lies on the disk, also what only the sandbox's root can write. */
    static List<Bind> binds(SandboxFolder folder, InstanceFile instance, Disk disk, Path socketFolder) {
        var binds = new ArrayList<Bind>();
        binds.add(bind(disk.workspace(), AgentConfiguration.WORKSPACE, false));
        binds.add(bind(disk.home(), AgentConfiguration.HOME, false));
        binds.add(bind(disk.rootHome(), "/root", false));
        binds.add(bind(disk.tmp(), "/tmp", false));
        binds.add(bind(disk.tmp(), "/var/tmp", false));
        binds.add(bind(disk.sharedMemory(), "/dev/shm", false));
        binds.addAll(etc(Path.of(instance.etc()), instance.root()));
        binds.add(bind(Path.of(instance.commands()), AgentConfiguration.COMMANDS, true));
        binds.add(bind(folder.run(), AgentConfiguration.RUN, true));
        binds.add(bind(disk.log(), AgentConfiguration.LOG, false));
        binds.add(bind(socketFolder, AgentConfiguration.RELAY, true));
        return binds;
    }

    /** Over an image's own /etc only single files; the host's is not shown, so that ours can be there whole. */
    private static List<Bind> etc(Path ours, String root) {
        var binds = new ArrayList<Bind>();
        if (root.equals(Template.HOST_ROOT)) {
            binds.add(bind(ours, "/etc", true));
            SystemFiles.ofThisHost().stream()
                    .filter(path -> Files.exists(ours.resolve(path.getFileName())))
                    .forEach(path -> binds.add(bind(path, path.toString(), true)));
        } else {
            GENERATED_ETC.forEach(name -> binds.add(bind(ours.resolve(name), "/etc/" + name, true)));
            Arrays.stream(ManagedHooks.values())
                    .map(ManagedHooks::folder)
                    .filter(name -> Files.isDirectory(ours.resolve(name)))
                    .forEach(name -> binds.add(bind(ours.resolve(name), "/etc/" + name, true)));
        }
        return binds;
    }

    static Bind bind(Path source, String target, boolean readOnly) {
        return new Bind(source.toString(), target, readOnly);
    }
}
