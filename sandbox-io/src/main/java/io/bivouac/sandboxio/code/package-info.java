/**
 * Code that is run in interpreters of a sandbox, which keep their variables: {@code Code} is the use case, free of HTTP;
 * what a run says comes as {@code CodeEvent}s at the reader's pace.
 */
package io.bivouac.sandboxio.code;
