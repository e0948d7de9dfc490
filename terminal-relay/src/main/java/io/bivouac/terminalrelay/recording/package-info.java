/**
 * What terminals have shown, for those that ask for it: asciicast v3, in pieces in the database, so that whichever
 * relay the agent is connected to goes on with it and any relay can give it out.
 */
package io.bivouac.terminalrelay.recording;
