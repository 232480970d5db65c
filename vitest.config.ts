import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'loadgen/test/**/*.test.ts', 'test/**/*.test.ts'],
    // A test that waits for a condition may take its time next to others; only one that hangs is stopped.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two cores and real child processes: more workers would only starve the servers under test.
    maxWorkers: 2,
    expect: { poll: { timeout: 20_000 } },
  },
});
