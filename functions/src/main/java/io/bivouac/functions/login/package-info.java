/** Logging in to the console: a key is exchanged for a cookie that no script can read. */
package io.bivouac.functions.login;
