/**
 * What programs in sandboxes ask to be allowed: their questions, who may answer them, and the answers' way back. A
 * question lives in the database, so it does not matter at which relay the agent is, at which the approver, or
 * whether either restarts meanwhile. Whatever goes wrong, the answer is no.
 */
package io.bivouac.terminalrelay.permission;
