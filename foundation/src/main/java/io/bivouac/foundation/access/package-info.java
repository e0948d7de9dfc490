/** Who may do what: projects, their keys, and the caller that a key stands for. */
package io.bivouac.foundation.access;
