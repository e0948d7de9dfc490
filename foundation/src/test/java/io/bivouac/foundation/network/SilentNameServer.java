package io.bivouac.foundation.network;

import io.bivouac.foundation.share.Party;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * A program for a network of its own, where 127.0.0.1 is the name server and answers nothing: one project asks for
 * hundreds of names, and another one's is looked up meanwhile.
 */
final class SilentNameServer {
    private static final Duration AT_MOST = Duration.ofSeconds(60);
    private static final int ASKED = 200;

    private SilentNameServer() {}

    public static void main(String[] arguments) throws Exception {
        try (var server = new DatagramSocket(new InetSocketAddress("127.0.0.1", 53));
                var lookup = new HostLookup(AT_MOST)) {
            var stuck = IntStream.range(0, ASKED)
                    .mapToObj(i -> lookup.addressesOf("n" + i + ".attacker.example", new Party("one", "key-" + i)))
                    .toList();
            // The first question has arrived, and nobody answers it.
            server.receive(new DatagramPacket(new byte[512], 512));
            while (lookup.places().takenBy("one") < lookup.places().bounds().perProject()) {
                Thread.sleep(10);
            }
            var found = lookup.addressesOf("served.example", new Party("another", "key"))
                    .join();
            long open = stuck.stream().filter(each -> !each.isDone()).count();
            System.out.println(found.getFirst().getHostAddress() + " while " + open + " wait, "
                    + lookup.places().takenBy("one") + " of them asking");
        }
        System.exit(0);
    }
}
