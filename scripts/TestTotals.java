import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Prints what failed by the JUnit XML reports below a folder, and last {@code N passed, N failed, N skipped}. */
class TestTotals {
    private static final Set<String> SKIPPED_FOLDERS =
            Set.of("node_modules", ".git", "classes", "test-classes", "x86_64-unknown-linux-gnu");

    private static final int LINES_OF_A_FAILURE = 12;

    public static void main(String[] arguments) throws Exception {
        var reports = new TreeSet<Path>();
        Files.walkFileTree(Path.of(arguments[0]), new SimpleFileVisitor<>() {
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
        int run = 0;
        int failed = 0;
        int skipped = 0;
        for (Path report : reports) {
            var parsed = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
            printFailures(parsed);
            var suites = parsed.getElementsByTagName("testsuite");
            for (int index = 0; index < suites.getLength(); index++) {
                var suite = (Element) suites.item(index);
                run += count(suite, "tests");
                failed += count(suite, "failures") + count(suite, "errors");
                skipped += count(suite, "skipped");
            }
        }
        System.out.printf("%d passed, %d failed, %d skipped%n", run - failed - skipped, failed, skipped);
        System.exit(failed == 0 && run > 0 ? 0 : 1);
    }

    /** At the very end, where nobody has to look for them in the output of all modules. */
    private static void printFailures(Document report) {
        for (var kind : new String[] {"failure", "error"}) {
            var failures = report.getElementsByTagName(kind);
            for (int index = 0; index < failures.getLength(); index++) {
                var failure = (Element) failures.item(index);
                var test = (Element) failure.getParentNode();
                var message = failure.getAttribute("message");
                var shown = message.isEmpty() ? failure.getTextContent() : message;
                System.out.printf("FAILED %s %s%n", test.getAttribute("classname"), test.getAttribute("name"));
                shown.strip().lines().limit(LINES_OF_A_FAILURE).forEach(line -> System.out.println("    " + line));
            }
        }
    }

    private static int count(Element suite, String attribute) {
        var value = suite.getAttribute(attribute);
        return value.isEmpty() ? 0 : Integer.parseInt(value);
    }
}
