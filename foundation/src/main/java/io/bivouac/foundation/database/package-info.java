/** How this process reaches PostgreSQL: one URL in the settings, a pool, migrations, and locks between processes. */
package io.bivouac.foundation.database;
