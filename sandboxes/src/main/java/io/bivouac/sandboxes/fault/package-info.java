/** Places where a crash test may end the process, to prove that nothing is lost there. */
package io.bivouac.sandboxes.fault;
