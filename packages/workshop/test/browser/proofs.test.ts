/** Which measurements belong to the question of the page. */
import { describe, expect, it } from 'vitest';
import {
  changedSince,
  here,
  isAsked,
  isProof,
  type Proof,
  predictedIn,
  predictedText,
  textsDigest,
} from '../../src/browser/proofs.ts';
import type { MeasuredCell } from '../../src/browser/server-api.ts';
import { quickstart } from '../fixtures/question.ts';

const measured: MeasuredCell = {
  ...{
    architecture: 'sidecar',
    rate: 50,
    repetitions: 6,
    invalid: [],
    flags: [],
    requests: 18,
    hops: 5,
    cpuUs: 900,
    at: 0,
  },
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

describe('a decision is outdated', () => {
  const { calibration } = quickstart();
  const price = { perCoreHour: 0.04, currency: 'EUR' };
  const now = { ...texts, settings, price, notes: '', calibration };
  const decided = { settings, texts: textsDigest(texts), price, notes: '', calibration };

  it('not by other cores or machines, which it does not depend on', () => {
    const same = { ...settings, cores: 64, machines: 'one' as const };
    expect(changedSince(decided, { ...now, settings: same, price: { ...price } })).toEqual([]);
  });

  it.each([
    ['settings', { settings: { ...settings, rate: 60 } }],
    ['texts', { rules: 'kind: Rule' }],
    ['price', { price: { ...price, perCoreHour: 0.05 } }],
    ['price', { price: { ...price, currency: 'USD' } }],
    ['notes', { notes: 'ask the auditors' }],
    ['calibration', { calibration: { ...calibration, name: 'own' } }],
  ])('by other %s', (name, change) => {
    expect(changedSince(decided, { ...now, ...change })).toEqual([name]);
  });
});

it('is predicted for the cores of this machine, not those of the calibration', () => {
  const calibration = { ...quickstart().calibration, cores: 16 };
  expect(here({ calibration, hostCores: 4 }, settings).settings).toEqual({ ...settings, machines: 'one', cores: 4 });
});

it('states why a measured cell was not simulated, and claims no overload', () => {
  const failed = predictedIn({ kind: 'failed', message: 'too many hops', hint: 'fewer' }, [], 'sidecar');
  expect(predictedText(failed)).toBe('not simulated: too many hops. fewer');
  expect(isProof(JSON.parse(JSON.stringify({ ...proof, predicted: failed })))).toBe(true);
  const absent = predictedIn({ kind: 'details', details: [] }, [], 'sidecar');
  expect(predictedText(absent)).toContain('not simulated: sidecar');
});

describe('a proof in a link', () => {
  it('is taken with every field that the page reads', () => {
    const predicted = { state: 'stable', median: { value: 1, interval: [0, 2] } } as const;
    expect(isProof(JSON.parse(JSON.stringify({ ...proof, predicted })))).toBe(true);
  });

  const without = (name: keyof MeasuredCell) => ({ ...proof, measured: { ...measured, [name]: undefined } });
  it.each<[string, unknown]>([
    ['nothing', null],
    ['no prediction', { ...proof, predicted: undefined }],
    ['an empty prediction', { ...proof, predicted: {} }],
    ['no settings', { ...proof, settings: null }],
    ['no texts', { ...proof, texts: undefined }],
    ['half an interval', { ...proof, predicted: { state: 'stable', p95: { value: 1, interval: [1] } } }],
    ...(['architecture', 'rate', 'requests', 'invalid', 'flags', 'at', 'folder', 'median', 'p95'] as const).map(
      (name): [string, unknown] => [`no ${name}`, without(name)],
    ),
  ])('with %s is left out', (_, given) => {
    expect(isProof(given as Proof)).toBe(false);
  });
});
