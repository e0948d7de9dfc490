package io.bivouac.sandboxes.template;

import io.bivouac.sandboxmodel.template.Template;
import java.time.Instant;

/**
 * A template whose tree is there.
 *
 * @param hash of what it was made from; the tree's name
 */
public record BuiltTemplate(Template template, String hash, long sizeBytes, Instant builtAt) {}
