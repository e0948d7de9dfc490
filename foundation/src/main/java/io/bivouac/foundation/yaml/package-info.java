/** YAML files written by operators, read with errors that name the file. */
package io.bivouac.foundation.yaml;
