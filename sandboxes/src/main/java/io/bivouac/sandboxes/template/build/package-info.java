/**
 * Builds the trees of templates from recipes, with the machine's own package tools, as a program of its own beside the
 * server. A {@link io.bivouac.sandboxes.template.build.BuildPlan} is a list of steps; each step's hash covers all before
 * it, so that a build goes on where one was interrupted and begins with a copy of what another one made. Whatever a step
 * runs ends with this process and sees no other of the machine.
 */
package io.bivouac.sandboxes.template.build;
