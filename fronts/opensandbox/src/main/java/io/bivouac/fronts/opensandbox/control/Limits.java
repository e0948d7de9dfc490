package io.bivouac.fronts.opensandbox.control;

import io.bivouac.sandboxes.lifecycle.SandboxOrder.AskedResources;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;
import java.util.regex.Pattern;

/** Resource limits in the notation of Kubernetes, which OpenSandbox has taken over. */
final class Limits {
    /** The SDKs send these where their user says nothing. */
    private static final Map<String, String> OF_THE_SDKS = Map.of("cpu", "1", "memory", "2Gi");

    private static final Pattern CPU = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)(m?)");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,15})(Ki|Mi|Gi|Ti|k|K|M|G|T|)");
    private static final double MILLI = 1000;

    private Limits() {}

    /** Limits that nobody has chosen are not asked for where nothing would hold them. */
    static @Nullable AskedResources asked(@Nullable Map<String, String> limits, Capabilities can) {
        if (limits == null
                || limits.isEmpty()
                || (limits.equals(OF_THE_SDKS) && !(can.cpuLimit() && can.memoryLimit()))) {
            return null;
        }
        for (var name : limits.keySet()) {
            if (!OF_THE_SDKS.containsKey(name)) {
                throw BivouacException.invalidRequest("resourceLimits." + name + " cannot be limited here.");
            }
        }
        return new AskedResources(cpu(limits.get("cpu")), bytes(limits.get("memory")), null);
    }

    private static @Nullable Double cpu(@Nullable String text) {
        if (text == null) {
            return null;
        }
        var parts = CPU.matcher(text);
        if (!parts.matches()) {
            throw BivouacException.invalidRequest("resourceLimits.cpu must be a number such as 2 or 500m.");
        }
        var number = Double.parseDouble(parts.group(1));
        return parts.group(2).isEmpty() ? number : number / MILLI;
    }

    private static @Nullable Long bytes(@Nullable String text) {
        if (text == null) {
            return null;
        }
        var parts = BYTES.matcher(text);
        if (!parts.matches()) {
            throw BivouacException.invalidRequest("resourceLimits.memory must be a size such as 512Mi or 2Gi.");
        }
        return Math.multiplyExact(Long.parseLong(parts.group(1)), unit(parts.group(2)));
    }

    private static long unit(String suffix) {
        return switch (suffix) {
            case "k", "K" -> 1_000L;
            case "M" -> 1_000_000L;
            case "G" -> 1_000_000_000L;
            case "T" -> 1_000_000_000_000L;
            case "Ki" -> 1L << 10;
            case "Mi" -> 1L << 20;
            case "Gi" -> 1L << 30;
            case "Ti" -> 1L << 40;
            default -> 1;
        };
    }
}
