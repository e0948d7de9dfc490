import { defineConfig } from 'vitest/config';
import { FlakyReporter } from './sdk-ts/test/harness/flaky-reporter.js';

export default defineConfig({
  test: {
    include: ['sdk-ts/test/**/*.test.ts', 'cli/test/**/*.test.ts', 'console/test/**/*.test.ts', 'fronts/*/test/**/*.test.ts'],
    globalSetup: ['sdk-ts/test/harness/global.ts'],
    // The machine may be slow; what waits, waits for a condition.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // One that passes then is told as flaky by the totals.
    retry: 1,
    reporters: [
      'default',
      ['junit', { outputFile: 'sdk-ts/target/vitest-reports/TEST-typescript.xml' }],
      new FlakyReporter('sdk-ts/target/vitest-reports/TEST-flaky.xml'),
    ],
  },
});
