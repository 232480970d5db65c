/** Which measurements belong to the question of the page. */
import { describe, expect, it } from 'vitest';
import { isAsked, type Proof, textsDigest } from '../../src/browser/proofs.ts';
import type { MeasuredCell } from '../../src/browser/server-api.ts';

const measured: MeasuredCell = {
  ...{ architecture: 'sidecar', rate: 50, repetitions: 6, invalid: [], requests: 18, hops: 5, cpuUs: 900, at: 0 },
  ...{ median: { value: 61_000 }, p95: { value: 62_000 }, folder: 'runs/a' },
};
const texts = { topology: 'kind: Topology', rules: 'kind: Rules' };
const settings = { rate: 50, cores: 2, machines: 'node', services: 3, delayMs: 1 } as const;
const proof: Proof = { measured, predicted: { state: 'stable' }, settings, texts: textsDigest(texts) };

describe('a measurement stands at the question that it answers', () => {
  it('whatever the order of its settings', () => {
    const { rate, ...others } = settings;
    expect(isAsked(proof, { ...texts, settings: { ...others, rate } })).toBe(true);
  });

  it.each([
    ['services', { ...texts, settings: { ...settings, services: 80 } }],
    ['a delay', { ...texts, settings: { ...settings, delayMs: 100 } }],
    ['cores', { ...texts, settings: { ...settings, cores: 64 } }],
    ['a rate', { ...texts, settings: { ...settings, rate: 60 } }],
    ['a setting less', { ...texts, settings: { rate: 50, cores: 2, machines: 'node' as const } }],
    ['a topology', { ...texts, topology: 'kind: topology', settings }],
    ['rules', { topology: texts.topology, settings }],
  ])('and at no other %s', (_, asked) => {
    expect(isAsked(proof, asked)).toBe(false);
  });
});
