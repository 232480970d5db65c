import type { Cell } from '@topo-bench/core/schema/result';
import type { StoreEntry } from '@topo-bench/store-study/parts';
import type { TransferEntry } from '@topo-bench/transfer-study/parts';
import { expect, it } from 'vitest';
import { studies } from '../src/index.ts';

const entry = {
  achievedRps: 99.84,
  rtt: { medianUs: 1234, p95Us: Number.POSITIVE_INFINITY },
  responseTime: { medianUs: 2000, p95Us: 3000 },
  decisions: { wrong: 0 },
  outcomes: { error: 2 },
  persistence: { successRps: 41.26 },
  flight: { megabytesPerSecond: 812.34, rowsPerSecond: 25.4e6, durationUs: 1.5e6 },
} as unknown as Cell;

it.each([
  ['routing', 'RTT median 1.23 ms, p95 ∞ · 99.8 req/s · 0 wrong'],
  ['store', 'response time median 2 ms, p95 3 ms · 41.3 successes/s · 2 errors'],
  ['transfer', '812.3 MB/s, 25.40 M rows/s · 1.5 s · 2 errors'],
])('a repetition of a %s study reads in a line of progress: %s', (kind, line) => {
  const study = studies.find((one) => one.kind === kind);
  expect(study?.figures(entry).join(' · ')).toBe(line);
});

it.each(['store', 'transfer'])('a failed repetition of a %s study has a line, too', (kind) => {
  const { persistence: _persistence, flight: _flight, ...failed } = entry as StoreEntry & TransferEntry;
  expect(studies.find((one) => one.kind === kind)?.figures(failed as Cell)).toHaveLength(3);
});
