/**
 * A soak on real processes: random topologies, rules and their changes, crashes, freezes, slow roles and partitions.
 * Each architecture keeps all claims, and points that are broken on purpose are found.
 */
import { architectures } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import type { SourceChange } from './fixtures/changed-service.ts';
import { soakOnProcesses } from './soak/on-processes.ts';

const timeout = 300_000;

it.each(architectures)('all claims are true of 2,000 requests under %s', { timeout }, async (architecture) => {
  const { violated, seen, requests } = await soakOnProcesses(architecture, { requests: 2000, seed: 1 });
  expect(violated?.violation).toBeUndefined();
  expect(requests).toBe(2000);
  expect(seen.crash ?? 0).toBeGreaterThan(0);
  expect((seen.answered ?? 0) + (seen.refused ?? 0)).toBeGreaterThan(100);
  if (architecture !== 'none') expect(Math.min(seen.change ?? 0, seen['checked call'] ?? 0)).toBeGreaterThan(0);
});

const broken: Record<string, { kinds: string[]; change: SourceChange }> = {
  'a point that confirms before it has the rules': {
    kinds: ['stale'],
    change: {
      file: 'flow/src/machine/rule-versions.ts',
      from: "else this.perform({ kind: 'prepare-rules', change, reply });",
      // Points that fetch their rules confirm by asking, and stay as they are.
      to: "else if (reply) this.confirm(reply, version); else this.perform({ kind: 'prepare-rules', change, reply });",
    },
  },
  'a point that calls a service which its rules refuse': {
    kinds: ['wrong', 'past-enforcement'],
    change: {
      file: 'flow/src/flow-run.ts',
      from: "if (effect === 'deny') return this.refused(decision.ruleIndex);",
      to: "if (effect === 'deny') return this.give(service, unite(decision, detour));",
    },
  },
};

describe.each(Object.entries(broken))('%s', (_, { kinds, change }) => {
  it('is found', { timeout }, async () => {
    const { violated } = await soakOnProcesses('sidecar', { requests: 10_000, seed: 1 }, [change]);
    expect(kinds).toContain(violated?.violation.kind);
  });
});
