/**
 * Who is there to answer questions: approvers that are connected to any server of the installation. A server writes down
 * what it knows of its own, for the others.
 */
package io.bivouac.foundation.presence;
