package io.bivouac.sandboxmodel.runtime;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the host of sandboxes has, whoever uses it now.
 *
 * @param diskBytes of the file system that disks are on; {@link Long#MAX_VALUE} where nobody knows
 */
public record HostCapacity(double cpu, long memoryBytes, long diskBytes) {
    /** This machine's, or what it lets this process have. */
    public static HostCapacity ofThisMachine(long diskBytes) {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new HostCapacity(Runtime.getRuntime().availableProcessors(), system.getTotalMemorySize(), diskBytes);
    }
}
