/** Names for many hosts at once. */
package io.bivouac.functions.egress;
