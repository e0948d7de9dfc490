package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;

/** Whether sandboxes can be made here, and if not, what to do about it. */
final class MachineCheck {
    private final BubblewrapSettings settings;
    private final AgentFiles agent;
    private final Path data;

    MachineCheck(BubblewrapSettings settings, AgentFiles agent, Path data) {
        this.settings = settings;
        this.agent = agent;
        this.data = data;
    }

    void run() {
        if (!Files.isExecutable(settings.bwrap())) {
            throw new RuntimeFailure("bubblewrap is not at " + settings.bwrap()
                    + ": install the package bubblewrap, or set bivouac.bubblewrap.bwrap");
        }
        if (!Files.isExecutable(agent.binary())) {
            throw new RuntimeFailure(
                    "the agent is not at " + agent.binary() + ", or not executable: set bivouac.agent.binary");
        }
        if (!Files.isDirectory(agent.socketFolder())) {
            throw new RuntimeFailure("the folder of the relays' sockets, " + agent.socketFolder()
                    + ", is not there: start the relay, or set bivouac.agent.socket-folder");
        }
        for (var path : List.of(data, agent.binary(), agent.socketFolder())) {
            checkWay(path);
        }
        tryOut(
                "the agent",
                List.of(agent.binary().toString(), "--version"),
                "it must be a static binary for this machine");
        var sandbox = new java.util.ArrayList<>(List.of(settings.bwrap().toString()));
        sandbox.addAll(UserNamespaces.ALL);
        tryOut(
                "bubblewrap",
                sandbox,
                "user namespaces may be switched off: bivouac doctor names the switch and what mends it");
    }

    /** As root, sandboxes have ids of their own, which must be able to reach what is bound into them. */
    private static void checkWay(Path path) {
        if (!Libc.isRoot()) {
            return;
        }
        try {
            for (var folder = path; folder != null; folder = folder.getParent()) {
                if (Files.exists(folder)
                        && !Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    throw new RuntimeFailure(
                            "sandboxes cannot reach " + path + ": allow others to enter " + folder + " (chmod o+x)");
                }
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot look at " + path + ": " + e, e);
        }
    }

    private void tryOut(String what, List<String> argv, String advice) {
        var tried = TriedProgram.run(data, argv);
        if (!tried.worked()) {
            throw new RuntimeFailure(
                    what + " does not work here (" + tried.code() + "): " + tried.said() + "; " + advice);
        }
    }
}
