package io.bivouac.foundation.network;

/** The guard's objection to an address, in words for whoever named the host. */
public final class AddressRefused extends RuntimeException {
    AddressRefused(String objection) {
        super(objection);
    }
}
