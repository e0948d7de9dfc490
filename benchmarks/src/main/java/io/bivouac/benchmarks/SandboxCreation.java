package io.bivouac.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** One create after the other, from the request to 201 with a running sandbox. */
record SandboxCreation(Server server, Optional<Docker> docker, Scale scale) {
    private static final int WARM_UP = 100;
    private static final int CREATES = 100;
    private static final int CONTAINERS = 20;
    private static final double LONGEST_MILLIS = 35;
    private static final double TIMES_DOCKER = 8;
    private static final int FIRST_CREATES = 600;
    private static final long PAUSE_MILLIS = 50;
    private static final List<String> STEPS = List.of("queuedMs", "runtimeMs", "agentMs");

    void measure(Table table) throws Exception {
        var answers = new ArrayList<String>();
        creates(scale.of(FIRST_CREATES), new ArrayList<>());
        var seen = creates(scale.of(CREATES), answers);
        var bare = bareBubblewrap(scale);
        table.add(
                "create → running",
                seen.figure(),
                bare.figure().named("bwrap … true"),
                Figure.amount(seen.p50() / bare.p50()) + "×",
                new Goal("p50 ≤ 35 ms", seen.p50() <= LONGEST_MILLIS));
        if (docker.isPresent()) {
            var container = containers(docker.get());
            table.add(
                    "create → running",
                    seen.figure(),
                    container.figure().named("docker run"),
                    "1/" + Figure.amount(container.p50() / seen.p50()),
                    new Goal("≤ 1/8 of docker", seen.p50() * TIMES_DOCKER <= container.p50()));
        }
        table.note("Warmed up with " + scale.of(FIRST_CREATES) + " creates. Deleting is not timed, and "
                + PAUSE_MILLIS + " ms pass after it. "
                + steps(answers, seen.p50()));
    }

    private Latencies creates(int count, List<String> answers) throws Exception {
        var times = new ArrayList<Latencies>();
        try (var connection = server.connect()) {
            var sandboxes = new Sandboxes(connection);
            for (int i = 0; i < count; i++) {
                times.add(Load.run(1, () -> answers.add(sandboxes.create())));
                sandboxes.delete(Sandboxes.idIn(answers.getLast()));
                // What a delete leaves to do afterwards is no part of the next create.
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        return Latencies.joined(times);
    }

    /** As much unshared as a sandbox has, and nothing else of it. */
    static Latencies bareBubblewrap(Scale scale) throws Exception {
        var argv = new ArrayList<>(List.of(Programs.find("bwrap").orElseThrow(), "--unshare-all"));
        argv.addAll(
                List.of("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"));
        argv.addAll(List.of("--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
        argv.add("/usr/bin/true");
        Load.run(scale.of(WARM_UP), () -> Programs.run(argv));
        return Load.run(scale.of(CREATES), () -> Programs.run(argv));
    }

    private Latencies containers(Docker engine) throws Exception {
        engine.remove(engine.start());
        var times = new ArrayList<Latencies>();
        for (int i = 0; i < scale.of(CONTAINERS); i++) {
            var names = new ArrayList<String>();
            times.add(Load.run(1, () -> names.add(engine.start())));
            engine.remove(names.getFirst());
        }
        return Latencies.joined(times);
    }

    private static String steps(List<String> answers, double p50) {
        var text = new StringBuilder("Medians of the answers' timelines:");
        double told = 0;
        for (var step : STEPS) {
            double median = median(answers, step);
            told += median;
            text.append(' ')
                    .append(step)
                    .append(' ')
                    .append(Figure.amount(median))
                    .append(',');
        }
        return text + " the rest (HTTP, checks, first transaction) " + Figure.amount(p50 - told) + " ms.";
    }

    private static double median(List<String> answers, String step) {
        var pattern = Pattern.compile("\"" + step + "\":([0-9.]+)");
        var sorted = answers.stream()
                .map(pattern::matcher)
                .filter(found -> found.find())
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sorted()
                .toArray();
        return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElse(Double.NaN);
    }
}
