package io.bivouac.launcher;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the API, the database and the host tell the same about every sandbox. */
final class Agreement {
    private static final Set<String> RESTING = Set.of("running", "stopped", "error");

    private Agreement() {}

    /** What they disagree about; empty when all is well. */
    static List<String> faults(CrashSite site) throws Exception {
        var faults = new ArrayList<String>();
        var told = site.api().sandboxes().entrySet().stream()
                .collect(Collectors.toMap(
                        java.util.Map.Entry::getKey,
                        entry -> String.valueOf(entry.getValue().get("state"))));
        var stored = site.database().states();
        if (!told.equals(stored)) {
            faults.add("the API says %s, the database %s".formatted(told, stored));
        }
        for (var sandbox : told.entrySet()) {
            var id = sandbox.getKey();
            boolean alive = site.traces().process(id, "init.pid").isPresent();
            boolean running = sandbox.getValue().equals("running");
            if (!RESTING.contains(sandbox.getValue())) {
                faults.add(id + " is still " + sandbox.getValue());
            } else if (running != alive) {
                faults.add("%s is %s, its agent %s".formatted(id, sandbox.getValue(), alive ? "lives" : "is gone"));
            } else if (running) {
                var answer = site.api().run(id, "echo here", "");
                if (answer.statusCode() != 200 || !answer.body().contains("here")) {
                    faults.add("%s runs, but a command is answered %d %s"
                            .formatted(id, answer.statusCode(), answer.body()));
                }
            }
        }
        var known = new HashSet<>(told.keySet());
        known.addAll(site.traces().unowned());
        unknown(faults, "folder", site.traces().sandboxFolders(), known);
        unknown(faults, "control group", site.traces().groups(), known);
        return faults;
    }

    private static void unknown(List<String> faults, String what, List<String> names, Set<String> known) {
        names.stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> faults.add(what + " of nobody's: " + name));
    }

    /** What a server that stopped with no sandboxes has left behind; empty when nothing. */
    static List<String> remains(HostTraces traces) {
        var remains = new ArrayList<String>();
        traces.backingProcesses().forEach(process -> remains.add("process " + process));
        traces.sandboxProcesses().forEach(process -> remains.add("process " + process));
        traces.mounts().forEach(mount -> remains.add("mount " + mount));
        traces.loopDevices().forEach(device -> remains.add("loop device " + device));
        traces.groupParents().forEach(group -> remains.add("control group " + group));
        traces.sandboxFolders().forEach(folder -> remains.add("sandbox folder " + folder));
        traces.usedDisks().forEach(disk -> remains.add("disk " + disk));
        traces.keptFiles().forEach(kept -> remains.add("kept workspace " + kept));
        traces.claimsWithoutDisk().forEach(claim -> remains.add("uid range " + claim));
        return remains;
    }
}
