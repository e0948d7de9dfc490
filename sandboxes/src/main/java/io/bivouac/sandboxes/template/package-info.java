/** The catalogue of templates: what a new sandbox starts from. */
package io.bivouac.sandboxes.template;
