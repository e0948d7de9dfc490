package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.runtime.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether this user may make the namespaces that sandboxes are made of, and which switch of the kernel forbids it. */
final class UserNamespaces {
    /** What bubblewrap is asked for when it is tried. */
    static final List<String> ALL = List.of(
            "--unshare-user",
            "--unshare-pid",
            "--unshare-net",
            "--unshare-ipc",
            "--unshare-uts",
            "--ro-bind",
            "/",
            "/",
            "--",
            "/usr/bin/true");

    private static final String NAME = "user namespaces";
    private static final String COSTS = "No sandbox can be made.";
    private static final Path APPARMOR = Path.of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
    private static final Path CLONE = Path.of("/proc/sys/kernel/unprivileged_userns_clone");
    private static final Path MOST = Path.of("/proc/sys/user/max_user_namespaces");

    private final Path bwrap;
    private final Path agent;
    private final Path scratch;

    UserNamespaces(Path bwrap, Path agent, Path scratch) {
        this.bwrap = bwrap;
        this.agent = agent;
        this.scratch = scratch;
    }

    Check examine() {
        var argv = new ArrayList<>(List.of(bwrap.toString()));
        argv.addAll(ALL);
        var tried = TriedProgram.run(scratch, argv);
        if (tried.worked()) {
            return Check.fine(
                    NAME,
                    "bubblewrap makes them as " + System.getProperty("user.name")
                            + (isSet(APPARMOR) && !Libc.isRoot() ? "; a profile of AppArmor allows it" : ""));
        }
        return wrong(tried.firstLine(), read(APPARMOR), read(CLONE), read(MOST));
    }

    /** Decides by the values of the switches, each empty where the kernel has none. */
    Check wrong(String said, String apparmor, String clone, String most) {
        if (apparmor.equals("1")) {
            return Check.wrong(
                    NAME,
                    "kernel.apparmor_restrict_unprivileged_userns is 1, as on Ubuntu 23.10 and later: AppArmor keeps"
                            + " programs without a profile from making them (" + said + ")",
                    COSTS,
                    profile());
        }
        if (clone.equals("0")) {
            return Check.wrong(
                    NAME,
                    "kernel.unprivileged_userns_clone is 0 (" + said + ")",
                    COSTS,
                    "sysctl -w kernel.unprivileged_userns_clone=1");
        }
        if (most.equals("0")) {
            return Check.wrong(
                    NAME,
                    "user.max_user_namespaces is 0 (" + said + ")",
                    COSTS,
                    "sysctl -w user.max_user_namespaces=15000");
        }
        return Check.wrong(
                NAME,
                said,
                COSTS,
                "in a container: docker run --privileged, or --security-opt seccomp=unconfined --security-opt"
                        + " apparmor=unconfined --security-opt systempaths=unconfined --cap-add SYS_ADMIN");
    }

    /** For these two programs alone: the restriction stays for all others. */
    String profile() {
        return """
                cat > /etc/apparmor.d/bivouac <<'EOF'
                abi <abi/4.0>,
                include <tunables/global>

                profile bivouac-bwrap %s flags=(unconfined) {
                  userns,
                }

                profile bivouac-agent %s flags=(unconfined) {
                  userns,
                }
                EOF
                apparmor_parser -r /etc/apparmor.d/bivouac""".formatted(bwrap, agentPattern());
    }

    /** Installed agents are named after their content. */
    private String agentPattern() {
        var name = agent.getFileName().toString();
        return name.startsWith("bivouac-agent-")
                ? agent.resolveSibling("bivouac-agent-*").toString()
                : agent.toString();
    }

    private static boolean isSet(Path file) {
        return read(file).equals("1");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException none) {
            return "";
        }
    }
}
