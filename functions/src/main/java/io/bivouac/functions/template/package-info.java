/** The catalogue of templates. */
package io.bivouac.functions.template;
