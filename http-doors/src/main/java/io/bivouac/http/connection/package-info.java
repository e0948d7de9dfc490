/**
 * The connections of HTTP clients: how many there may be, of all and of one address, which go first when there are too
 * many, and how long one may wait with its request. Everything here comes before a login.
 */
package io.bivouac.http.connection;
