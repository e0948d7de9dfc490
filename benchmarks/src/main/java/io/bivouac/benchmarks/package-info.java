/**
 * How fast Bivouac is, beside what a user would pick instead, measured in the same run on the same machine. A group is
 * one table; a goal that is missed is shown and never fails a build.
 */
package io.bivouac.benchmarks;
