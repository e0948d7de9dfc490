/** Projects, for the system's administrator. */
package io.bivouac.functions.project;
