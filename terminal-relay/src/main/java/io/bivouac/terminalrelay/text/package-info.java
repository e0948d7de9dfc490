/** Text on its way out: UTF-8 that is never cut, and JSON written as bytes. */
package io.bivouac.terminalrelay.text;
