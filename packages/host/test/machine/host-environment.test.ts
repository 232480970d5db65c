import os from 'node:os';
import { hostEnvironment } from '@topo-bench/core/schema/result';
import { expect, test } from 'vitest';
import { readHostEnvironment } from '../../src/machine/host-environment.ts';

test('the host environment fits its schema and identifies the machine without naming it', () => {
  const found = readHostEnvironment();
  expect(hostEnvironment.parse(found)).toEqual(found);
  expect(found.node).toBe(process.versions.node);
  expect(found.hostname).toMatch(/^[0-9a-f]{12}$/);
  expect(JSON.stringify(found)).not.toContain(os.hostname());
});
