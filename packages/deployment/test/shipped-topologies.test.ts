import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { architectures } from '@topo-bench/core';
import { loadTopology, rulesPath, type SourceText } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../src/plan-deployment.ts';
import { plannedHops } from '../src/planned-hops.ts';

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../../topologies');
const source = (path: string): SourceText => ({ file: basename(path), text: readFileSync(path, 'utf8') });

describe.each(readdirSync(folder).filter((file) => file.endsWith('.yaml')))('%s', (file) => {
  it.each(architectures)('can be planned as %s', (architecture) => {
    const topology = source(join(folder, file));
    const rules = rulesPath(topology);
    const { graph } = loadTopology({
      topology,
      ...(rules === undefined ? {} : { rules: source(resolve(folder, rules)) }),
      overrides: { factors: { architecture } },
    });
    const plan = planDeployment(graph!);
    const names = plan.roles.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { peers } of plan.roles) for (const peer of peers) expect(names).toContain(peer);
    expect(plannedHops(graph!, plan).perRequest).toBeGreaterThan(graph!.services.length / 2);
  });
});
