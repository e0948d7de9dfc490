package io.bivouac.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What this machine holds of one installation, asked from the kernel and the file system alone.
 *
 * @param group the name that the installation's control groups are under
 */
record HostTraces(Path data, String group) {
    /** Among what follows the name in a process's stat. */
    private static final int START_TIME = 19;

    /** Of PostgreSQL and Kafka: their children rename themselves, but stay in the folder. */
    List<String> backingProcesses() {
        return processes(pid -> {
            var line = read(Path.of("/proc", pid, "cmdline")) + " " + link(Path.of("/proc", pid, "cwd"));
            return line.contains(data + "/postgres") || line.contains(data + "/kafka");
        });
    }

    Optional<Long> kafkaProcess() {
        return processes(pid -> {
                    var line = read(Path.of("/proc", pid, "cmdline"));
                    return line.contains("KafkaProgram") && line.contains(data + "/kafka");
                })
                .stream()
                .map(process -> Long.parseLong(process.split(" ")[0]))
                .findFirst();
    }

    /** Of sandboxes: those in a control group of ours, and supervisors and bubblewraps that name our folder. */
    List<String> sandboxProcesses() {
        return processes(pid -> read(Path.of("/proc", pid, "cgroup")).contains("/bivouac/" + group + "/")
                || read(Path.of("/proc", pid, "cmdline")).contains(data + "/sandboxes"));
    }

    List<Path> mounts() {
        return lines(Path.of("/proc/self/mounts"))
                .map(line -> Path.of(line.split(" ")[1]))
                .filter(target -> target.startsWith(data))
                .toList();
    }

    List<String> loopDevices() {
        return entries(Path.of("/sys/block"))
                .filter(device -> read(device.resolve("loop/backing_file")).startsWith(data.toString()))
                .map(device -> device.getFileName() + " on "
                        + read(device.resolve("loop/backing_file")).strip())
                .toList();
    }

    /** In whatever hierarchies the host has. */
    List<Path> groupParents() {
        var parents = new TreeSet<Path>();
        lines(Path.of("/proc/self/mounts"))
                .map(line -> line.split(" "))
                .filter(fields -> fields[2].startsWith("cgroup"))
                .map(fields -> Path.of(fields[1], "bivouac", group))
                .filter(Files::isDirectory)
                .forEach(parents::add);
        return List.copyOf(parents);
    }

    List<String> groups() {
        return groupParents().stream()
                .flatMap(HostTraces::entries)
                .filter(Files::isDirectory)
                .map(folder -> folder.getFileName().toString())
                .distinct()
                .toList();
    }

    List<String> sandboxFolders() {
        return names(data.resolve("sandboxes"));
    }

    /** Those of instances that were started ahead and have no owner. */
    List<String> unowned() {
        return sandboxFolders().stream()
                .filter(id -> read(data.resolve("sandboxes").resolve(id).resolve("instance.json"))
                        .contains("\"project\":\"\""))
                .toList();
    }

    List<String> keptFiles() {
        return names(data.resolve("kept"));
    }

    /** Those that are not ready for a sandbox to come. */
    List<String> usedDisks() {
        return entries(data.resolve("disks"))
                .filter(disk -> !Files.exists(disk.resolve("fresh")))
                .map(disk -> disk.getFileName().toString())
                .toList();
    }

    List<String> claimsWithoutDisk() {
        return entries(data.resolve("uid-ranges"))
                .filter(claim -> !Files.isDirectory(data.resolve("disks").resolve(read(claim) + "/content")))
                .map(claim -> claim.getFileName() + " of " + read(claim))
                .toList();
    }

    /** The process that a sandbox's folder names, if it lives. */
    Optional<Long> process(String sandbox, String file) {
        var words = read(data.resolve("sandboxes").resolve(sandbox).resolve(file))
                .strip()
                .split(" ");
        return words[0].isEmpty()
                ? Optional.empty()
                : Optional.of(Long.parseLong(words[0])).filter(pid -> lives(pid) && isOf(sandbox, pid, words));
    }

    /** Numbers of processes are used again, within minutes on a busy machine: one that is not ours must not be hit. */
    private static boolean isOf(String sandbox, long pid, String[] words) {
        if (words.length == 2) {
            var stat = read(Path.of("/proc/" + pid + "/stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields.length > START_TIME && fields[START_TIME].equals(words[1]);
        }
        return read(Path.of("/proc/" + pid + "/cmdline")).contains(sandbox);
    }

    static boolean lives(long pid) {
        var stat = read(Path.of("/proc/" + pid + "/stat"));
        return !stat.isEmpty() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    }

    private interface Choice {
        boolean takes(String pid);
    }

    private static List<String> processes(Choice choice) {
        return entries(Path.of("/proc"))
                .map(folder -> folder.getFileName().toString())
                .filter(name -> name.matches("\\d+") && lives(Long.parseLong(name)) && choice.takes(name))
                .map(pid -> pid + " "
                        + read(Path.of("/proc", pid, "cmdline"))
                                .replace('\0', ' ')
                                .strip())
                .toList();
    }

    private static List<String> names(Path folder) {
        return entries(folder).map(path -> path.getFileName().toString()).toList();
    }

    private static Stream<Path> entries(Path folder) {
        var entries = new ArrayList<Path>();
        try (var found = Files.newDirectoryStream(folder)) {
            found.forEach(entries::add);
        } catch (IOException none) {
            return Stream.empty();
        }
        return entries.stream().sorted();
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException gone) {
            return "";
        }
    }
}
