/**
 * Random topologies, rules, changes of rules, crashes, freezes, slow roles and partitions in virtual time: no request
 * passes enforcement, is decided wrongly or worked on twice, all end in one class, and nothing is left behind. Roles
 * that are broken on purpose are found.
 */
import type { RuleSet } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import type { TestMemoryOptions } from '../packages/flow/test/fixtures/memory.ts';
import { playCase } from './soak/play-case.ts';
import { soak } from './soak/soak.ts';

it('all claims are true of 50,000 requests, which meet every kind of event', { timeout: 600_000 }, async () => {
  const { violated, seen } = await soak({ requests: 50_000, seed: 1 });
  expect(violated).toBeUndefined();
  // A soak that meets none of a kind shows nothing about it.
  for (const kind of [
    'crash',
    'freeze',
    'slow',
    'partition',
    'change',
    'torn',
    'retry',
    'second load',
    'taken over',
    'breaker',
  ])
    expect(seen[kind] ?? 0, kind).toBeGreaterThan(50);
  // Crashes and changes fall together, under each distribution and with all that resilience offers.
  for (const kind of [
    ...['push', 'stream', 'poll'].map((distribution) => `${distribution} before a restart`),
    ...['retries', 'takeover', 'breaker'].map((name) => `${name}, a crash and a change`),
    'two neighbours',
  ])
    expect(seen[kind] ?? 0, kind).toBeGreaterThan(4);
  for (const kind of ['answered', 'refused', 'lost', 'failed', 'stale since asked'])
    expect(seen[kind] ?? 0, kind).toBeGreaterThan(1000);
});

type Broken = Omit<TestMemoryOptions, 'faults'>;

/** Options for each case: a role keeps what it started with. */
const broken: Record<string, { kinds: string[]; options: () => Broken }> = {
  'a point that keeps its old rules under the name of the new ones': {
    kinds: ['wrong'],
    options: () => {
      const first = new Map<string, RuleSet>();
      return {
        change: ({ name, rules }) => {
          first.set(name, rules);
          return {};
        },
        onEffect: (effect, { name }) => {
          if (effect.kind === 'prepare-rules') effect.change.rules = first.get(name) as RuleSet;
        },
      };
    },
  },
  'a point that confirms before it has the rules': {
    kinds: ['stale'],
    options: () => ({
      onEffect: (effect) => {
        if (effect.kind === 'prepare-rules') effect.reply?.confirmed?.(effect.change.version);
      },
    }),
  },
  'points that let steps pass without a decision in time': {
    kinds: ['wrong', 'past-enforcement'],
    options: () => ({ change: () => ({ failOpen: true }) }),
  },
};

describe.each(Object.entries(broken))('%s', (_title, { kinds, options }) => {
  it('is found, and shown by a small case', async () => {
    const { violated } = await soak({ requests: 50_000, seed: 1, play: (one) => playCase(one, options()) });
    expect(kinds).toContain(violated?.violation.kind);
    const { smallest, original } = violated as NonNullable<typeof violated>;
    // One more where two replicas take turns.
    expect(smallest.requests.length).toBeLessThanOrEqual(3);
    expect(smallest.topology.services?.length).toBeLessThanOrEqual(original.topology.services?.length ?? 0);
    const again = await playCase(structuredClone(smallest), options());
    expect(again.violations.map((violation) => violation.kind)).toContain(violated?.violation.kind);
    expect((await playCase(smallest)).violations).toEqual([]);
  });
});
