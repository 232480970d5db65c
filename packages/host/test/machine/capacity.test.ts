import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { maxOpenFiles, usableCores, usableMemoryBytes } from '../../src/machine/capacity.ts';

it('is at least one core, and no more memory than there is', () => {
  expect(usableCores()).toBeGreaterThanOrEqual(1);
  expect(usableMemoryBytes()).toBeGreaterThan(0);
  expect(usableMemoryBytes()).toBeLessThanOrEqual(totalmem());
});

it.skipIf(!existsSync('/proc/self/limits'))('has the limit on open files that a child inherits', () => {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  expect(maxOpenFiles()).toBe(limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit));
});
