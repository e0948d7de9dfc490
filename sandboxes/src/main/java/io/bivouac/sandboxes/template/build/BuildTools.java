package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How programs of a build are started: by bubblewrap, in a process namespace that ends with this process, so that a
 * killed build leaves no program that still writes.
 */
public record BuildTools(Path bwrap, FreeSpace space) {
    enum Rights {
        NONE,
        OF_A_PACKAGE_MANAGER
    }

    private static final List<String> PACKAGE_MANAGER = List.of(
            "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETUID");

    List<String> onTheMachine(List<String> argv) {
        var all = new ArrayList<>(List.of(bwrap.toString(), "--bind", "/", "/", "--dev-bind", "/dev", "/dev"));
        all.addAll(List.of("--proc", "/proc", "--unshare-pid", "--die-with-parent"));
        if (System.getProperty("user.name").equals("root")) {
            all.addAll(List.of("--cap-add", "ALL"));
        }
        return command(all, argv);
    }

    List<String> inTree(List<String> binds, Rights rights, boolean network, List<String> argv) {
        var all = new ArrayList<>(List.of(bwrap.toString()));
        all.addAll(binds);
        all.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--chdir", "/", "--hostname", "build"));
        all.addAll(List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session"));
        if (!network) {
            all.add("--unshare-net");
        }
        if (rights == Rights.OF_A_PACKAGE_MANAGER) {
            PACKAGE_MANAGER.forEach(capability -> all.addAll(List.of("--cap-add", capability)));
        } else {
            all.addAll(List.of("--unshare-user", "--uid", "0", "--gid", "0"));
        }
        return command(all, argv);
    }

    /** All that was written there is on the disk. */
    void flush(Path folder) throws IOException {
        try {
            var sync = new ProcessBuilder("sync", "-f", folder.toString()).start();
            if (sync.waitFor() != 0) {
                throw new IOException("sync -f " + folder + " ended with " + sync.exitValue());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BuildFailed("The build was stopped. Build again: nothing of it is lost.", stopped);
        }
    }

    private static List<String> command(List<String> options, List<String> argv) {
        options.add("--");
        options.addAll(argv);
        return List.copyOf(options);
    }
}
