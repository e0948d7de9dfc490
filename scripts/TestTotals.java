import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/** Adds up all JUnit XML reports below a folder and prints {@code N passed, N failed, N skipped}. */
class TestTotals {
    private static final Set<String> SKIPPED_FOLDERS =
            Set.of("node_modules", ".git", "classes", "test-classes", "x86_64-unknown-linux-gnu");

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
            var suites = suitesOf(report);
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

    private static org.w3c.dom.NodeList suitesOf(Path report) throws Exception {
        var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        return builder.parse(report.toFile()).getElementsByTagName("testsuite");
    }

    private static int count(Element suite, String attribute) {
        var value = suite.getAttribute(attribute);
        return value.isEmpty() ? 0 : Integer.parseInt(value);
    }
}
