package io.bivouac.sandboxmodel.runtime;

/** How a command ended; by signal n its exit code is −n. */
public record ExecResult(int exitCode, String stdout, String stderr) {}
