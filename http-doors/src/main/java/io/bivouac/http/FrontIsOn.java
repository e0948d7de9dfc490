package io.bivouac.http;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;
import java.util.List;
import java.util.stream.Stream;

/** Whether {@code BIVOUAC_FRONTS} has another platform's SDKs served; all are where it is not set. */
public abstract class FrontIsOn implements Condition {
    private static final String SETTING = "bivouac.fronts";
    private static final List<String> FRONTS = List.of("e2b", "opensandbox", "mcp");

    private final String front;

    protected FrontIsOn(String front) {
        this.front = front;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public boolean matches(ConditionContext context) {
        return isOn(context.getProperty(SETTING, String.class).orElse("on"));
    }

    boolean isOn(String setting) {
        return switch (setting.strip()) {
            case "", "on", "true" -> true;
            case "off", "false" -> false;
            default -> names(setting).contains(front);
        };
    }

    /** A misspelt name would leave a front off without a word. */
    private static List<String> names(String setting) {
        var names = Stream.of(setting.split(",")).map(String::strip).toList();
        if (!FRONTS.containsAll(names)) {
            throw new IllegalArgumentException("BIVOUAC_FRONTS must be on, off or some of " + String.join(",", FRONTS)
                    + ", but is '" + setting + "'");
        }
        return names;
    }
}
