/**
 * What is looked at on a machine besides its runtime: Java, disk, inodes, ports, the clock, a container around it. The
 * same checks for a server that runs and for {@code bivouac-server doctor}, which starts nothing.
 */
package io.bivouac.launcher.doctor;
