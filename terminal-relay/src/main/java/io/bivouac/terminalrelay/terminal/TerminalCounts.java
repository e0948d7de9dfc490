package io.bivouac.terminalrelay.terminal;

import io.micronaut.core.annotation.Introspected;

/**
 * How many terminals live now.
 *
 * @param every in the whole installation
 * @param project of the project
 * @param sandbox in the sandbox
 * @param sessions terminal sessions in the whole installation
 * @param shared terminal sessions of the project
 * @param own terminal sessions of the caller
 */
@Introspected
record TerminalCounts(long every, long project, long sandbox, long sessions, long shared, long own) {}
