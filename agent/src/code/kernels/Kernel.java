// Runs Java for the agent, which says by descriptor 3 what to run and hears there how it went.
//
// Each message of ours is one line of JSON. The agent's is a line with the lengths of the code and of the variables, and then
// both. What the code prints goes to descriptors 1 and 2 as it is.
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.EvalException;
import jdk.jshell.JShell;
import jdk.jshell.JShellException;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.UnresolvedReferenceException;
import jdk.jshell.execution.LocalExecutionControlProvider;

class Kernel {
    private static final String[] IMPORTS = {
        "java.io.*", "java.math.*", "java.net.*", "java.nio.file.*", "java.time.*", "java.util.*", "java.util.concurrent.*",
        "java.util.function.*", "java.util.regex.*", "java.util.stream.*"
    };

    private final OutputStream control;
    private final JShell shell;
    private final Map<String, String> environment;
    private volatile boolean running;
    private volatile boolean interrupted;

    /** There is none. */
    static final class NoInput extends InputStream {
        @Override
        public int read() {
            throw new UnsupportedOperationException(
                    "code that is run here has no standard input; pass values in the code, as variables or as files");
        }
    }

    Kernel(OutputStream control) {
        this.control = control;
        this.environment = environment();
        System.setIn(new NoInput());
        shell = JShell.builder()
                .executionEngine(new LocalExecutionControlProvider(), Map.of())
                .in(new NoInput())
                .out(System.out)
                .err(System.err)
                .build();
        for (var name : IMPORTS) {
            shell.eval("import " + name + ";");
        }
        // The first code compiles the compiler; nobody should wait for that.
        shell.eval("int bivouacReady = 1 + 1;");
        shell.variables().toList().forEach(shell::drop);
        sun.misc.Signal.handle(new sun.misc.Signal("INT"), signal -> interrupt());
    }

    private void interrupt() {
        if (running) {
            interrupted = true;
            shell.stop();
        }
    }

    /** The map behind System.getenv, so that variables of a run can be set. */
    @SuppressWarnings("unchecked")
    private static Map<String, String> environment() {
        try {
            var field = System.getenv().getClass().getDeclaredField("m");
            field.setAccessible(true);
            return (Map<String, String>) field.get(System.getenv());
        } catch (ReflectiveOperationException | RuntimeException closed) {
            return null;
        }
    }

    void run(String code, Map<String, String> variables) throws IOException {
        var before = new HashMap<String, String>();
        for (var variable : variables.entrySet()) {
            before.put(variable.getKey(), System.getenv(variable.getKey()));
            if (environment != null) {
                environment.put(variable.getKey(), variable.getValue());
            }
        }
        interrupted = false;
        running = true;
        boolean ok = false;
        try {
            ok = evaluate(code);
        } finally {
            running = false;
            before.forEach((name, value) -> {
                if (environment != null && value == null) {
                    environment.remove(name);
                } else if (environment != null) {
                    environment.put(name, value);
                }
            });
        }
        say("{\"type\":\"done\",\"ok\":" + ok + "}");
    }

    private boolean evaluate(String code) throws IOException {
        var analysis = shell.sourceCodeAnalysis();
        var rest = code;
        String shown = null;
        while (!rest.isBlank()) {
            var info = analysis.analyzeCompletion(rest);
            var source = info.source() == null ? rest : info.source();
            if (!info.completeness().isComplete()) {
                // A last semicolon may be missing; anything else is told by the compiler.
                source = rest;
            }
            var left = info.completeness().isComplete() && info.remaining() != null ? info.remaining() : "";
            shown = null;
            for (var event : shell.eval(source)) {
                if (!told(event, source)) {
                    return false;
                }
                if (event.causeSnippet() == null && event.value() != null && isExpression(event.snippet())) {
                    shown = event.value();
                }
            }
            rest = left;
        }
        if (shown != null) {
            say("{\"type\":\"result\",\"result\":{\"main\":true,\"mimeBundle\":{\"text/plain\":" + quoted(shown) + "}}}");
        }
        return true;
    }

    private static boolean isExpression(Snippet snippet) {
        return switch (snippet.subKind()) {
            case VAR_VALUE_SUBKIND, TEMP_VAR_EXPRESSION_SUBKIND, ASSIGNMENT_SUBKIND, OTHER_EXPRESSION_SUBKIND -> true;
            default -> false;
        };
    }

    /** False when it went wrong, which is said. */
    private boolean told(SnippetEvent event, String source) throws IOException {
        if (interrupted) {
            error("Interrupted", "The run was interrupted.", "The run was interrupted.");
            return false;
        }
        if (event.exception() != null) {
            raised(event.exception());
            return false;
        }
        if (event.causeSnippet() == null
                && (event.status() == Snippet.Status.REJECTED || event.status() == Snippet.Status.RECOVERABLE_NOT_DEFINED)) {
            var why = new StringBuilder();
            if (event.snippet() instanceof DeclarationSnippet unfinished) {
                shell.unresolvedDependencies(unfinished).forEach(missing -> why.append(why.isEmpty() ? "" : "\n").append("cannot find ").append(missing));
            }
            shell.diagnostics(event.snippet()).forEach(diagnostic -> {
                why.append(why.isEmpty() ? "" : "\n").append(diagnostic.getMessage(null));
            });
            var text = why.isEmpty() ? "This cannot be compiled." : why.toString();
            error("CompileError", text, text + "\n" + source.strip());
            return false;
        }
        return true;
    }

    private void raised(JShellException exception) throws IOException {
        Throwable shown = exception;
        String name = exception.getClass().getSimpleName();
        if (exception instanceof EvalException raised) {
            name = raised.getExceptionClassName();
        } else if (exception instanceof UnresolvedReferenceException unresolved) {
            name = "UnresolvedReference";
            shown = new RuntimeException("The code uses what is not declared: " + unresolved.getSnippet().source().strip());
        }
        var message = String.valueOf(shown.getMessage());
        var trace = new StringBuilder(name).append(": ").append(message);
        for (var frame : exception.getStackTrace()) {
            var where = String.valueOf(frame.getFileName());
            if (where.startsWith("#") || !frame.getClassName().startsWith("REPL")) {
                trace.append("\n    at ").append(frame.getMethodName()).append(" (").append(where).append(':').append(frame.getLineNumber()).append(')');
            }
        }
        for (var cause = exception.getCause(); cause != null; cause = cause.getCause()) {
            var inner = cause instanceof EvalException raised ? raised.getExceptionClassName() : cause.getClass().getName();
            trace.append("\nCaused by: ").append(inner).append(": ").append(cause.getMessage());
        }
        error(name, message, trace.toString());
    }

    private void error(String name, String value, String trace) throws IOException {
        say("{\"type\":\"error\",\"name\":" + quoted(name) + ",\"value\":" + quoted(value) + ",\"traceback\":" + quoted(trace) + "}");
    }

    private void say(String message) throws IOException {
        System.out.flush();
        System.err.flush();
        control.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        control.flush();
    }

    private static String quoted(String text) {
        var json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < ' ' || c > '~') {
                json.append(String.format("\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }

    private static String line(InputStream from) throws IOException {
        var line = new StringBuilder();
        for (int c = from.read(); c != '\n'; c = from.read()) {
            if (c < 0) {
                return null;
            }
            line.append((char) c);
        }
        return line.toString();
    }

    /** An open one; a socket has no other way in. */
    private static FileDescriptor descriptor(int number) {
        try {
            var descriptor = new FileDescriptor();
            var field = FileDescriptor.class.getDeclaredField("fd");
            field.setAccessible(true);
            field.setInt(descriptor, number);
            return descriptor;
        } catch (ReflectiveOperationException otherJdk) {
            throw new IllegalStateException(otherJdk);
        }
    }

    public static void main(String[] arguments) throws IOException {
        var socket = descriptor(3);
        var in = new DataInputStream(new BufferedInputStream(new FileInputStream(socket)));
        var kernel = new Kernel(new FileOutputStream(socket));
        kernel.say("{\"type\":\"ready\"}");
        for (var line = line(in); line != null; line = line(in)) {
            var lengths = line.split(" ");
            var code = new byte[Integer.parseInt(lengths[0])];
            in.readFully(code);
            var variables = new byte[Integer.parseInt(lengths[1])];
            in.readFully(variables);
            var map = new HashMap<String, String>();
            for (var variable : new String(variables, StandardCharsets.UTF_8).split("\0")) {
                int end = variable.indexOf('=');
                if (end > 0) {
                    map.put(variable.substring(0, end), variable.substring(end + 1));
                }
            }
            kernel.run(new String(code, StandardCharsets.UTF_8), map);
        }
        System.exit(0);
    }
}
