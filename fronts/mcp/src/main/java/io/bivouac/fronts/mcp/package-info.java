/**
 * The Model Context Protocol over HTTP (streamable HTTP): our use cases as tools for AI assistants, and files as
 * resources. No state is kept between requests but which commands run.
 */
package io.bivouac.fronts.mcp;
