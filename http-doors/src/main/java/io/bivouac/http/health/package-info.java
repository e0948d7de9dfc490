/** What orchestrators and operators ask every service: is it alive, can it work, how is it doing. */
package io.bivouac.http.health;
