import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Prints the flaky and the failed tests of the JUnit XML reports below a folder, and last
 * {@code N passed, N failed, N skipped}. A flaky test failed, and passed when it was run again: it counts as passed.
 */
class TestTotals {
    private static final Set<String> SKIPPED_FOLDERS =
            Set.of("node_modules", ".git", "classes", "test-classes", "x86_64-unknown-linux-gnu");

    private static final int LINES_OF_A_FAILURE = 12;

    private int run;
    private int skipped;
    private final List<Trouble> flaky = new ArrayList<>();
    private final List<Trouble> failed = new ArrayList<>();

    /** A test's name and the words of its first failure. */
    private record Trouble(String test, String words) {
        void print(String kind) {
            System.out.println(kind + " " + test);
            words.strip().lines().limit(LINES_OF_A_FAILURE).forEach(line -> System.out.println("    " + line));
        }
    }

    public static void main(String[] arguments) throws Exception {
        var totals = new TestTotals();
        for (Path report : reportsBelow(Path.of(arguments[0]))) {
            totals.add(report);
        }
        totals.flaky.forEach(trouble -> trouble.print("FLAKY"));
        totals.failed.forEach(trouble -> trouble.print("FAILED"));
        int failures = totals.failed.size();
        System.out.printf(
                "%d passed, %d failed, %d skipped%n",
                totals.run - failures - totals.skipped, failures, totals.skipped);
        System.exit(failures == 0 && totals.run > 0 ? 0 : 1);
    }

    private static Set<Path> reportsBelow(Path root) throws IOException {
        var reports = new TreeSet<Path>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED_FOLDERS.contains(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().endsWith(".xml")
                        && file.getParent().getFileName().toString().endsWith("-reports")) {
                    reports.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return reports;
    }

    /** The tests themselves are counted: after a second run a suite's own figures are those of that run. */
    private void add(Path report) throws Exception {
        var parsed = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
        var tests = parsed.getElementsByTagName("testcase");
        for (int index = 0; index < tests.getLength(); index++) {
            var test = (Element) tests.item(index);
            run++;
            if (has(test, "skipped")) {
                skipped++;
            } else if (has(test, "failure") || has(test, "error")) {
                failed.add(trouble(test, has(test, "failure") ? "failure" : "error"));
            }
        }
        for (var kind : List.of("flakyFailure", "flakyError")) {
            var flakes = parsed.getElementsByTagName(kind);
            for (int index = 0; index < flakes.getLength(); index++) {
                addFlake((Element) flakes.item(index).getParentNode(), kind);
            }
        }
    }

    private void addFlake(Element test, String kind) {
        var trouble = trouble(test, kind);
        if (flaky.stream().noneMatch(known -> known.test().equals(trouble.test()))) {
            flaky.add(trouble);
        }
    }

    private static boolean has(Element test, String kind) {
        return test.getElementsByTagName(kind).getLength() > 0;
    }

    private static Trouble trouble(Element test, String kind) {
        var failure = (Element) test.getElementsByTagName(kind).item(0);
        var message = failure.getAttribute("message");
        return new Trouble(
                test.getAttribute("classname") + " " + test.getAttribute("name"),
                message.isEmpty() ? failure.getTextContent() : message);
    }
}
