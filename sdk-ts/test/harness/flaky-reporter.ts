import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';

const escaped = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex -- XML has no way to write these
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');

/**
 * Writes the tests that failed and passed when run again, as Maven's reports have them. The JUnit reporter has them
 * among those that passed, without the first failure's words: here they are no tests of their own.
 */
export class FlakyReporter implements Reporter {
  private readonly lines: string[] = [];

  constructor(private readonly file: string) {}

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) {
      return;
    }
    const words = test.result().errors?.[0]?.message ?? '';
    this.lines.push(
      `<flaky classname="${escaped(test.module.relativeModuleId)}" name="${escaped(test.fullName)}">` +
        `<flakyFailure message="${escaped(words)}"/></flaky>`,
    );
  }

  onTestRunEnd(): void {
    if (this.lines.length === 0) {
      rmSync(this.file, { force: true });
      return;
    }
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, `<testsuite name="flaky">\n${this.lines.join('\n')}\n</testsuite>\n`);
  }
}
