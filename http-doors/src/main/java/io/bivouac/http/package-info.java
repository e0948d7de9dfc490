/** What every request goes through: its id, its Host, its key, its rate; and how every error looks. */
package io.bivouac.http;
