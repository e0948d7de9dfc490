package io.bivouac.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Runs the groups that are asked for, or all, and prints a table for each. */
final class Benchmarks {
    private static final List<Group> GROUPS = List.of(
            new StartGroup(),
            new WarmGroup(),
            new ControlPlaneGroup(),
            new SandboxGroup(),
            new CrowdGroup(),
            new AttackGroup(),
            new FloodGroup(),
            new ExecGroup(),
            new StreamGroup(),
            new FilesGroup(),
            new GatewayGroup(),
            new TerminalGroup(),
            new PermissionGroup(),
            new IdentityGroup(),
            new WebhookGroup(),
            new NfsGroup(),
            new CommandLineGroup(),
            new BrowserGroup());

    private Benchmarks() {}

    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        if (words.contains("--help") || words.contains("-h")) {
            help();
            return;
        }
        var names = words.stream().filter(word -> !word.startsWith("--")).toList();
        var unknown = new ArrayList<>(words);
        unknown.remove("--quick");
        GROUPS.forEach(group -> unknown.remove(group.name()));
        if (!unknown.isEmpty()) {
            System.err.println("There is no " + unknown.getFirst() + ".");
            help();
            System.exit(2);
        }
        System.exit(run(new Scale(words.contains("--quick")), names) ? 0 : 1);
    }

    private static void help() {
        System.out.println(
                "benchmarks/run [--quick] [GROUP…]: all groups unless some are named; --quick does a fifth.");
        GROUPS.forEach(group -> System.out.printf("  %-14s %s%n", group.name(), group.about()));
    }

    private static boolean run(Scale scale, List<String> names) throws Exception {
        var results = new Results();
        boolean unbroken = true;
        for (var group : GROUPS) {
            if (!names.isEmpty() && !names.contains(group.name())) {
                continue;
            }
            var before = Machine.describe();
            System.err.println(group.name() + " (" + before + ")");
            try {
                var table = group.measure(scale);
                table.note("Before: " + before + "; after: load average %.1f.".formatted(Machine.load()));
                System.out.println(table);
                results.add(group.name(), table);
            } catch (Exception broken) {
                unbroken = false;
                System.err.println(group.name() + " broke:");
                broken.printStackTrace();
            }
        }
        System.out.println("Written to " + results.write());
        return unbroken;
    }
}
