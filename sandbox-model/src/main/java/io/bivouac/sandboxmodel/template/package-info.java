/** A template, and the managed settings that make known programs ask a person before they act. */
package io.bivouac.sandboxmodel.template;
