import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { samplesSchema } from '../src/samples-schema.ts';

test('docs/results.md has a row for every column of a samples file, in its order', () => {
  const page = readFileSync(new URL('../../../docs/results.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('## Columns of samples'), page.indexOf('```python'));
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  // The schema is in depth-first order; members of lists follow their column.
  const columns: string[] = [];
  for (let at = 1; at < samplesSchema.length; at++) {
    const { name, num_children: children = 0 } = samplesSchema[at] as (typeof samplesSchema)[number];
    columns.push(name);
    if (children > 0) at += 2 + ((samplesSchema[at + 2] as (typeof samplesSchema)[number]).num_children ?? 0);
  }
  expect(columns).toHaveLength((samplesSchema[0] as (typeof samplesSchema)[number]).num_children as number);
  expect(documented).toEqual(columns);
});
