/**
 * What may happen to a sandbox, decided purely: a function from a sandbox and a happening to a decision, with
 * no clock, no database and no runtime in it. The store writes down what it decides.
 */
package io.bivouac.sandboxmodel.transition;
