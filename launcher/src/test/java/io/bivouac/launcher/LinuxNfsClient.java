package io.bivouac.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The real Linux NFS client, in a kernel that is a plain process (Debian's user-mode-linux). It sees this machine's files
 * without being able to change them, and reaches this machine by a network of two.
 *
 * @param device the end of that network at this machine
 */
record LinuxNfsClient(Path folder, String device, int subnet) implements AutoCloseable {
    private static final Path KERNEL = Path.of("/usr/bin/linux.uml");
    private static final Path MODULES = Path.of("/usr/lib/uml/modules");
    private static final List<String> NEEDED = List.of("/usr/bin/linux.uml", "/sbin/mount.nfs", "/usr/bin/busybox");
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Why it cannot run here. */
    static Optional<String> obstacle() {
        if (!System.getProperty("user.name").equals("root") || !Files.exists(Path.of("/dev/net/tun"))) {
            return Optional.of("only root with /dev/net/tun can make a network for it");
        }
        return NEEDED.stream()
                .filter(program -> !Files.isExecutable(Path.of(program)))
                .findFirst()
                .map(program -> program + " is missing (packages user-mode-linux, nfs-common, busybox)");
    }

    static LinuxNfsClient make(Path folder) throws IOException, InterruptedException {
        long pid = ProcessHandle.current().pid();
        var client = new LinuxNfsClient(folder, "bv" + pid, (int) (pid % 250));
        host("ip", "tuntap", "add", "dev", client.device, "mode", "tap");
        host("ip", "addr", "add", client.hostAddress() + "/24", "dev", client.device);
        host("ip", "link", "set", client.device, "up");
        return client;
    }

    String hostAddress() {
        return "10.213." + subnet + ".1";
    }

    String network() {
        return "10.213." + subnet + ".0/24";
    }

    /**
     * Boots, runs a script as root and gives what it printed.
     *
     * @param act is done once, when the script has printed the mark
     */
    String run(String script, String mark, Runnable act) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("work"), script);
        var init = Files.writeString(folder.resolve("init"), init());
        init.toFile().setExecutable(true);
        var builder = new ProcessBuilder(
                KERNEL.toString(),
                "mem=256M",
                "root=/dev/root",
                "rootfstype=hostfs",
                "rootflags=/",
                "ro",
                "quiet",
                "con=null",
                "con0=null,fd:1",
                "vec0:transport=tap,ifname=" + device + ",depth=128,gro=1",
                "init=" + init);
        builder.environment().put("TMPDIR", "/dev/shm");
        builder.redirectErrorStream(true).redirectInput(Path.of("/dev/null").toFile());
        var process = builder.start();
        var limit = Thread.ofVirtual().start(() -> end(process));
        var seen = new StringBuilder();
        boolean acted = false;
        try (var lines = process.inputReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                seen.append(line).append('\n');
                if (!acted && line.contains(mark)) {
                    acted = true;
                    act.run();
                }
            }
        }
        process.waitFor();
        limit.interrupt();
        return seen.toString();
    }

    private static void end(Process process) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException itHasEnded) {
            Thread.currentThread().interrupt();
        }
    }

    private String init() throws IOException {
        try (var versions = Files.list(MODULES)) {
            var modules = versions.sorted().toList().getLast().resolve("kernel");
            return """
                    #!/bin/sh
                    export PATH=/usr/sbin:/usr/bin:/sbin:/bin
                    mount -t proc proc /proc
                    # Read first: it may lie in a folder that is hidden below.
                    work=$(cat %s/work)
                    for place in /tmp /run; do mount -t tmpfs tmpfs $place; done
                    for module in net/sunrpc/sunrpc fs/nfs_common/grace fs/lockd/lockd fs/nfs_common/nfs_acl \\
                        fs/netfs/netfs fs/fscache/fscache fs/nfs/nfs fs/nfs/nfsv3; do
                      busybox insmod %s/$module.ko
                    done
                    ip link set lo up
                    ip addr add 10.213.%d.2/24 dev vec0
                    ip link set vec0 up
                    sh -c "$work" 2>&1
                    echo ended with $?
                    busybox poweroff -f
                    """.formatted(folder, modules, subnet);
        }
    }

    private static void host(String... words) throws IOException, InterruptedException {
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", words) + ": " + output);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        host("ip", "link", "del", device);
    }
}
