/** Text on its way out: UTF-8 that is never cut, JSON written as bytes, and what is shown to people. */
package io.bivouac.sandboxio.text;
