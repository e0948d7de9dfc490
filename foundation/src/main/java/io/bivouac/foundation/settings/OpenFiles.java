package io.bivouac.foundation.settings;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The descriptors that this process may have: bounds on connections are chosen below. */
public final class OpenFiles {
    /** Where the system does not say. */
    private static final long USUAL = 1_024;

    private OpenFiles() {}

    public static long most() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : USUAL;
    }
}
