/** Places at which a crash test may stop the process while it kills something, to prove that nothing is lost there. */
package io.bivouac.foundation.fault;
