import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The use that the caches remember: pages, sandboxes, commands, terminals, and a webhook that hears of all of it. */
final class TrainingRun {
    /** So many that what each of them passes counts as hot, and is compiled early in later runs. */
    private static final int ROUNDS = 40;

    private static final int COMMANDS_A_ROUND = 20;

    private static final int TOO_MANY = 429;

    private static final List<String> PAGES = List.of(
            "/health",
            "/ready",
            "/metrics",
            "/openapi.yml",
            "/api/v1/sandboxes",
            "/api/v1/templates",
            "/api/v1/stats",
            "/api/v1/keys",
            "/api/v1/sandboxes/none");

    private final HttpClient client;
    private final String address;
    private final String key;

    private TrainingRun(HttpClient client, String address, String key) {
        this.client = client;
        this.address = address;
        this.key = key;
    }

    static void use(String address, String key) throws IOException, InterruptedException {
        var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try (var client = HttpClient.newHttpClient()) {
            var run = new TrainingRun(client, address, key);
            run.post("/api/v1/webhooks/endpoints",
                    "{\"url\":\"http://127.0.0.1:" + receiver.getAddress().getPort() + "/\"}");
            for (int round = 0; round < ROUNDS; round++) {
                for (String page : PAGES) {
                    run.send(run.request(page).GET().build());
                }
                run.useSandbox();
            }
        } finally {
            receiver.stop(0);
        }
    }

    private void useSandbox() throws IOException, InterruptedException {
        var made = post("/api/v1/sandboxes", "{\"template\":\"default\",\"timeoutSeconds\":60}");
        var id = Pattern.compile("sbx-[0-9a-z]{26}").matcher(made.body());
        if (!id.find()) {
            // This machine may have no runtime; the rest is worth a cache all the same.
            System.out.println("AOT caches without sandboxes: " + made.body());
            return;
        }
        var sandbox = "/api/v1/sandboxes/" + id.group();
        try {
            useCommands(sandbox);
            useTerminal(sandbox);
            send(request(sandbox + "/stats").GET().build());
        } finally {
            send(request(sandbox).DELETE().build());
        }
    }

    private void useCommands(String sandbox) throws IOException, InterruptedException {
        for (var body : List.of("{\"command\":\"echo hello\"}", "{\"command\":\"echo hello\",\"stream\":true}")) {
            post(sandbox + "/process/run", body);
        }
        for (int i = 0; i < COMMANDS_A_ROUND; i++) {
            post(sandbox + "/exec", "{\"command\":[\"true\"]}");
        }
    }

    private void useTerminal(String sandbox) throws IOException, InterruptedException {
        var made = post(sandbox + "/pty", "{\"command\":\"cat\"}");
        if (made.statusCode() == TOO_MANY) {
            // On a busy machine those of the rounds before may not have ended yet.
            return;
        }
        var terminal = sandbox + "/pty/" + found("\"id\":\"([^\"]+)\"", made).group(1);
        var ticket = post(terminal + "/ticket", "");
        var protocols = found("\"protocols\":\\[\"([^\"]+)\",\"([^\"]+)\"", ticket);
        var url = URI.create("ws" + address.substring("http".length()) + terminal + "/ws?source=training");
        TrainingTerminal.echo(client, url, protocols.group(1), protocols.group(2));
        send(request(terminal).DELETE().build());
    }

    private static Matcher found(String pattern, HttpResponse<String> answer) {
        var found = Pattern.compile(pattern).matcher(answer.body());
        if (!found.find()) {
            throw new IllegalStateException("unexpected answer: " + answer + " " + answer.body());
        }
        return found;
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json");
    }
}
