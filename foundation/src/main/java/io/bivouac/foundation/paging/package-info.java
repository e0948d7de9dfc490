/** Pages of listings: bounds, cursors and the items of one page. */
package io.bivouac.foundation.paging;
