package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import java.util.ArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How an instance ended and what its agent logged last: bounded and cleaned, since it comes from inside. */
public final class LastWords {
    private static final int LINES = 3;
    private static final int LONGEST = 400;
    private static final Pattern UNPRINTABLE = Pattern.compile("\\p{C}+");

    private LastWords() {}

    /** A continuation of a sentence about the instance; empty when nothing is known. */
    public static String of(SandboxRuntime runtime, SandboxId id) {
        var words = new ArrayList<String>();
        try {
            runtime.get(id)
                    .filter(instance -> instance.state() == Instance.State.STOPPED)
                    .map(Instance::detail)
                    .ifPresent(detail -> words.add("it " + detail));
            var said = runtime.logs(id, new LogQuery(LINES, null, null)).stream()
                    .map(LogLine::text)
                    .map(String::strip)
                    .collect(Collectors.joining(" / "));
            if (!said.isEmpty()) {
                words.add("its log ends with: " + said);
            }
        } catch (RuntimeFailure unknown) {
            words.add("its log cannot be read (" + unknown.getMessage() + ")");
        }
        var text = UNPRINTABLE.matcher(String.join("; ", words)).replaceAll(" ");
        return text.isEmpty() ? "" : "; " + (text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
    }
}
