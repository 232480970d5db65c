import os from 'node:os';
import { environment } from '@topo-bench/core/schema/result';
import { expect, test } from 'vitest';
import { readEnvironment } from '../src/environment.ts';

test('the environment fits its schema, tells machines apart and names none', () => {
  const found = readEnvironment('1.2.3');
  expect(environment.parse(found)).toEqual(found);
  expect(found).toMatchObject({ topoBench: '1.2.3', node: process.versions.node });
  expect(found.hostname).toMatch(/^[0-9a-f]{12}$/);
  expect(JSON.stringify(found)).not.toContain(os.hostname());
});
