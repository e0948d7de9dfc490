/** The command line and the SDK that fit this server, for whoever can reach it; where the distribution has them. */
package io.bivouac.functions.download;
