/** Files of the build that other processes are started from. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TopoBenchError } from '@topo-bench/core';

/**
 * Path of the service entry: beside this file when bundled, in the build when run from sources.
 * @throws TopoBenchError `TB_NOT_BUILT`
 */
export function serviceEntry(): string {
  const places = ['./service.cjs', '../dist/service.cjs'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = places.find((path) => existsSync(path));
  if (found) return found;
  throw new TopoBenchError('TB_NOT_BUILT', `the service entry is not built: ${places[0]} is missing`, {
    hint: 'run: npm run setup',
  });
}
