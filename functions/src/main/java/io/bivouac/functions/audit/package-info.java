/** The project's audit and the proof that it is whole. */
package io.bivouac.functions.audit;
