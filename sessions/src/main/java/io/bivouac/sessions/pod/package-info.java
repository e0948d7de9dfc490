/**
 * The Pods that this relay serves: how it reads their ACLs, and the sessions that were opened by them. What an ACL
 * means is decided in {@code acl}; here it is found, asked, and asked again while a session lives.
 */
package io.bivouac.sessions.pod;
