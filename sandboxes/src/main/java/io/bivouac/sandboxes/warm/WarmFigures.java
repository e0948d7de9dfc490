package io.bivouac.sandboxes.warm;

/**
 * How the pool of a template is doing.
 *
 * @param ready sandboxes that run and wait for an owner
 * @param wanted how many are to be ready
 * @param warmCreates creates that took one since the server's start
 * @param coldCreates creates of the template that did not
 */
public record WarmFigures(String template, int ready, int wanted, long warmCreates, long coldCreates) {}
