/** The API's description, made from the code, and a page that shows it. */
package io.bivouac.functions.docs;
