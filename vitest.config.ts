/** The tests of `npm test`: what finds faults in minutes. `vitest.all.config.ts` adds files named `*.long.test.ts`. */
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const include = ['packages/**/test/**/*.test.ts', 'loadgen/test/**/*.test.ts', 'test/**/*.test.ts'];

/**
 * These replace modules, add a kind of study, or measure what the whole process uses, so each needs a process of its
 * own. All others share one per worker, which loads each module once.
 */
const apart = [
  'packages/libraries/arrow-flight/test/server/*.test.ts',
  'packages/experiment/test/side-by-side/sides.test.ts',
  'packages/host/test/process/*.test.ts',
  'packages/libraries/http2/test/{floods,fuzz,read-in-chunks}.test.ts',
  'packages/libraries/http2/test/hpack/fuzz.test.ts',
  'packages/services/test/{control,hops,service}/*.test.ts',
  'packages/studies/test/new-kind-of-study/*.test.ts',
  'packages/workshop/test/{details,topology-files}.test.ts',
  'loadgen/test/{host,open}/*.test.ts',
];

/** @param isLong whole runs of all studies, servers that are Java programs and long random series too */
export function configOf(isLong: boolean): ViteUserConfig {
  const exclude = ['**/node_modules/**', '**/dist/**', ...(isLong ? [] : ['**/*.long.test.ts'])];
  return defineConfig({
    test: {
      // A test that waits for a condition may take its time next to others; only one that hangs is stopped.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // Random series are shorter where it is absent.
      env: isLong ? { LONG_SERIES: '1' } : {},
      // Two cores and real child processes: a third worker ends no earlier, and delays the servers under test.
      maxWorkers: 2,
      expect: { poll: { timeout: 20_000 } },
      reporters: ['default', './test/reporters/skipped-parts.ts'],
      setupFiles: ['./test/fixtures/remove-folders.ts'],
      projects: [
        {
          extends: true,
          test: {
            ...{ name: 'shared', include, exclude: [...exclude, ...apart], isolate: false },
            globalSetup: './test/fixtures/shared-servers.ts',
          },
        },
        { extends: true, test: { name: 'apart', include: apart, exclude } },
      ],
    },
  });
}

export default configOf(false);
