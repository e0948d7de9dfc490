package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxes.lifecycle.SandboxOrder.AskedResources;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.HostCapacity;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Locale;

/** How much one sandbox may ask for: as much as the operator allows, and never more than its host has. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
class ResourceRules {
    static final double LEAST_CPU = 0.05;
    static final long LEAST_BYTES = ByteSize.parse("16m");

    private final SandboxSettings settings;
    private final SandboxRuntime runtime;

    ResourceRules(SandboxSettings settings, SandboxRuntime runtime) {
        this.settings = settings;
        this.runtime = runtime;
    }

    /** What is not asked for is the template's. */
    Resources resources(@Nullable AskedResources asked, Resources usual) {
        if (asked == null) {
            return usual;
        }
        var host = runtime.capacity();
        return new Resources(
                cpu(asked.cpu(), usual.cpu(), host),
                bytes("memory", asked.memoryBytes(), usual.memoryBytes(), settings.getMaxMemory(), host.memoryBytes()),
                bytes("disk", asked.diskBytes(), usual.diskBytes(), settings.getMaxDisk(), host.diskBytes()));
    }

    private double cpu(@Nullable Double asked, double usual, HostCapacity host) {
        if (asked == null) {
            return usual;
        }
        double most = Math.min(settings.getMaxCpu(), host.cpu());
        if (!(asked >= LEAST_CPU && asked <= most)) {
            throw wrong("cpu", asked, LEAST_CPU, most + " cores", host.cpu() + " cores");
        }
        return asked;
    }

    private static long bytes(String what, @Nullable Long asked, long usual, String allowed, long ofHost) {
        if (asked == null) {
            return usual;
        }
        long most = Math.min(ByteSize.parse(allowed), ofHost);
        if (asked < LEAST_BYTES || asked > most) {
            throw wrong(what, readable(asked), readable(LEAST_BYTES), readable(most), readable(ofHost));
        }
        return asked;
    }

    private static BivouacException wrong(String what, Object asked, Object least, String most, String ofHost) {
        return BivouacException.invalidRequest("resources." + what + " must be between " + least + " and " + most
                + ", but is " + asked + ". This host has " + ofHost + ", and BIVOUAC_SANDBOX_MAX_"
                + what.toUpperCase(Locale.ROOT) + " may allow less.");
    }

    /** A host's sizes are no round numbers. */
    private static String readable(long bytes) {
        long mebibytes = bytes >> 20;
        return bytes == Long.MAX_VALUE || mebibytes == 0 || bytes == mebibytes << 20
                ? ByteSize.format(bytes)
                : ByteSize.format(mebibytes << 20);
    }
}
