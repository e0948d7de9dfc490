package io.bivouac.launcher;

import io.bivouac.launcher.doctor.Report;
import io.bivouac.sandboxes.template.BuiltTemplate;
import io.bivouac.sandboxes.template.build.BuildProgress;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a person or a program reads of templates: lines, or a JSON object a line. */
record BuildLines(Progress progress, boolean json) implements BuildProgress {
    private static final int LONGEST_LINE = 100;

    @Override
    public void begins(int number, int of, String step) {
        if (json) {
            say(Map.of("event", "step", "number", number, "of", of, "step", step));
        } else {
            progress.say("[" + number + "/" + of + "] " + step);
        }
    }

    @Override
    public void says(String line) {
        var shown = line.strip();
        shown = shown.length() > LONGEST_LINE ? shown.substring(0, LONGEST_LINE) + "…" : shown;
        if (json) {
            say(Map.of("event", "output", "line", shown));
        } else {
            progress.say("        " + shown);
        }
    }

    @Override
    public void ends(Duration took) {
        if (json) {
            say(Map.of("event", "done", "seconds", took.toSeconds()));
        } else {
            progress.say("      done in " + took.toSeconds() + " s");
        }
    }

    @Override
    public void note(String sentence) {
        if (json) {
            say(Map.of("event", "note", "message", sentence));
        } else {
            progress.say(sentence);
        }
    }

    void built(BuiltTemplate built) {
        if (json) {
            say(shown("built", built));
        } else {
            progress.say("Built %s (%s). Sandboxes take it from now on: bivouac sandbox create --template %s"
                    .formatted(
                            built.template().name(),
                            size(built),
                            built.template().name()));
        }
    }

    void listed(BuiltTemplate built) {
        if (json) {
            say(shown(null, built));
        } else {
            progress.say("%-32s %10s   %s".formatted(built.template().name(), size(built), built.builtAt()));
        }
    }

    private static Map<String, Object> shown(@Nullable String event, BuiltTemplate built) {
        var all = new LinkedHashMap<String, Object>();
        if (event != null) {
            all.put("event", event);
        }
        all.put("name", built.template().name());
        all.put("hash", built.hash());
        all.put("sizeBytes", built.sizeBytes());
        all.put("builtAt", built.builtAt().toString());
        return all;
    }

    private static String size(BuiltTemplate built) {
        return String.format(Locale.ROOT, "%d MB", built.sizeBytes() >> 20);
    }

    private void say(Map<String, Object> object) {
        var fields = object.entrySet().stream()
                .map(field -> Report.quoted(field.getKey()) + ":"
                        + (field.getValue() instanceof Number number
                                ? number.toString()
                                : Report.quoted(field.getValue().toString())))
                .toList();
        progress.say("{" + String.join(",", fields) + "}");
    }
}
