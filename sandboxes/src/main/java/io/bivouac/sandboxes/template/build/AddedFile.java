package io.bivouac.sandboxes.template.build;

/**
 * A file that a recipe puts into the tree.
 *
 * @param path absolute, in the tree
 * @param mode as {@code install} takes it, such as 0644
 */
record AddedFile(String path, byte[] content, String mode) {}
