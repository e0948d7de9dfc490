/** Settings of the installation that several modules read. */
package io.bivouac.foundation.settings;
