package io.bivouac.sandboxmodel;

/**
 * What a sandbox may use.
 *
 * @param cpu in cores
 * @param memoryBytes of RAM
 * @param diskBytes in {@code /workspace}
 */
public record Resources(double cpu, long memoryBytes, long diskBytes) {
    public static final Resources DEFAULT = new Resources(1, ByteSize.parse("512m"), ByteSize.parse("1g"));

    public Resources {
        if (cpu <= 0 || memoryBytes <= 0 || diskBytes <= 0) {
            throw new IllegalArgumentException("resources must be above zero");
        }
    }
}
