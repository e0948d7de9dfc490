/**
 * Which hosts a sandbox may reach. Decided purely, by the name that the program asked for: no address is looked up
 * here. A sandbox has no network; the relay dials for it what its policy allows.
 */
package io.bivouac.sandboxmodel.egress;
