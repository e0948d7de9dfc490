import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client of a terminal that types a few keys and waits for each to come back. */
final class TrainingTerminal implements WebSocket.Listener {
    private static final int KEYS = 10;
    private static final byte INPUT = 65;
    private static final byte OUTPUT = 1;
    private static final int LONGEST_WAIT_SECONDS = 20;

    private final Semaphore outputs = new Semaphore(0);

    static void echo(HttpClient client, URI url, String protocol, String ticket) throws InterruptedException {
        var terminal = new TrainingTerminal();
        var opening = client.newWebSocketBuilder().subprotocols(protocol, ticket).buildAsync(url, terminal);
        var socket = await(opening);
        for (int i = 1; i <= KEYS; i++) {
            var key = ByteBuffer.allocate(10).put(INPUT).putLong(i).put((byte) 'a').flip();
            await(socket.sendBinary(key, true));
            if (!terminal.outputs.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a terminal did not echo");
            }
        }
        socket.abort();
    }

    private static WebSocket await(CompletableFuture<WebSocket> step) throws InterruptedException {
        try {
            return step.get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("a terminal could not be used: " + failed, failed);
        }
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
        if (data.hasRemaining() && data.get(data.position()) == OUTPUT) {
            outputs.release();
        }
        socket.request(1);
        return null;
    }
}
