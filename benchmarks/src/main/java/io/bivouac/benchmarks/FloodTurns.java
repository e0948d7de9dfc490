package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Rates of floods in megabytes a second, of each turn one: what the machine does meanwhile falls on all alike. */
record FloodTurns(
        List<Double> bare, List<Double> binary, List<Double> ptyDoor, List<Double> execDoor, List<Double> besideSlow) {

    /** The first turn is not counted. */
    static FloodTurns measure(TerminalFlood flood, String file, int count) throws IOException, InterruptedException {
        turn(flood, file, none());
        var turns = none();
        for (int i = 0; i < count; i++) {
            turn(flood, file, turns);
        }
        return turns;
    }

    private static FloodTurns none() {
        return new FloodTurns(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    private static void turn(TerminalFlood flood, String file, FloodTurns turns)
            throws IOException, InterruptedException {
        turns.bare.add(BarePty.flood(file));
        turns.binary.add(flood.binary());
        turns.besideSlow.add(flood.besideSlow());
        turns.ptyDoor.add(flood.ptyDoor());
        turns.execDoor.add(flood.execDoor());
    }

    static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    /** The median of the ratios of each turn. */
    static double ratio(List<Double> seen, List<Double> beside) {
        return median(IntStream.range(0, seen.size())
                .mapToObj(turn -> seen.get(turn) / beside.get(turn))
                .toList());
    }
}
