/** Workspaces that outlived their sandbox because somebody asked for that. */
package io.bivouac.functions.workspace;
