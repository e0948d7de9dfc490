package io.bivouac.terminalrelay.wire;

import java.util.Map;

/** Signals by name, as Linux numbers them on the machines we run on. */
final class Signals {
    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("SIGHUP", 1),
            Map.entry("SIGINT", 2),
            Map.entry("SIGQUIT", 3),
            Map.entry("SIGABRT", 6),
            Map.entry("SIGKILL", 9),
            Map.entry("SIGUSR1", 10),
            Map.entry("SIGSEGV", 11),
            Map.entry("SIGUSR2", 12),
            Map.entry("SIGPIPE", 13),
            Map.entry("SIGALRM", 14),
            Map.entry("SIGTERM", 15),
            Map.entry("SIGCONT", 18),
            Map.entry("SIGSTOP", 19),
            Map.entry("SIGTSTP", 20),
            Map.entry("SIGWINCH", 28));
    private static final int HIGHEST = 31;

    private Signals() {}

    static FromClient.Signal named(String name) throws BadFrame {
        var number = NUMBERS.get(name);
        if (number == null) {
            throw new BadFrame("signal must be a name such as SIGINT.");
        }
        return new FromClient.Signal(number);
    }

    static FromClient.Signal numbered(long number) throws BadFrame {
        if (number < 1 || number > HIGHEST) {
            throw new BadFrame("A signal is a number between 1 and " + HIGHEST + ".");
        }
        return new FromClient.Signal((int) number);
    }

    static String name(int number) {
        return NUMBERS.entrySet().stream()
                .filter(signal -> signal.getValue() == number)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("SIG" + number);
    }
}
