/** What is known about sandboxes' ways out beside their own lists: hosts opened for templates, and hosts that were refused. */
package io.bivouac.sandboxes.egress;
