package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where agents find their relays. Names are looked up here: Pods have no name service, and need none.
 *
 * @param addresses {@code host:port}
 * @param authority the file with the certificate that relays are known by
 */
public record Relays(List<String> addresses, Path authority) {
    /** One address of a relay. */
    record Place(InetAddress address, int port) {
        String url() {
            var number = address.getHostAddress();
            return "https://" + (number.contains(":") ? "[" + number + "]" : number) + ":" + port;
        }

        /** As one network. */
        String cidr() {
            return address.getHostAddress() + "/" + (address.getAddress().length * 8);
        }
    }

    public Relays {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("Pods need an address of a relay: set BIVOUAC_AGENT_PORT and"
                    + " BIVOUAC_AGENT_ADDRESS, or BIVOUAC_KUBERNETES_RELAYS.");
        }
        for (var address : addresses) {
            if (!address.matches(".+:[0-9]{1,5}")) {
                throw new IllegalArgumentException("A relay's address must be host:port, but is " + address + ".");
            }
        }
    }

    List<Place> places() {
        var places = new ArrayList<Place>();
        for (var address : addresses) {
            int colon = address.lastIndexOf(':');
            var host = address.substring(0, colon).replace("[", "").replace("]", "");
            int port = Integer.parseInt(address.substring(colon + 1));
            try {
                for (var found : InetAddress.getAllByName(host)) {
                    places.add(new Place(found, port));
                }
            } catch (UnknownHostException unknown) {
                throw new RuntimeFailure("The relay's address " + host + " is not known to the name service.", unknown);
            }
        }
        return places;
    }

    String certificate() {
        try {
            return Files.readString(authority);
        } catch (IOException unreadable) {
            throw new RuntimeFailure(
                    "The authority of the relays cannot be read from " + authority
                            + "; it is written when a server with BIVOUAC_AGENT_PORT starts.",
                    unreadable);
        }
    }
}
