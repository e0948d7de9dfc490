/**
 * Web Access Control: what a Pod's ACL lets somebody do, as pure functions. Here nothing is fetched and nothing is
 * remembered. Whatever is not understood grants nothing: a mode, a condition, a limit.
 */
package io.bivouac.sessions.acl;
