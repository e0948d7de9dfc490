import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['sdk-ts/test/**/*.test.ts', 'cli/test/**/*.test.ts', 'console/test/**/*.test.ts'],
    globalSetup: ['sdk-ts/test/harness/global.ts'],
    // The machine may be slow; what waits, waits for a condition.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    reporters: ['default', ['junit', { outputFile: 'sdk-ts/target/vitest-reports/TEST-typescript.xml' }]],
  },
});
