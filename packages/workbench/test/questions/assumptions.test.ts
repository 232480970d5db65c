import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calibrationFile } from '@topo-bench/core/schema/calibration';
import { parseSource } from '@topo-bench/topology';
import { expect, it } from 'vitest';
import { root } from '../../../../test/fixtures/topo-bench.ts';
import { open } from '../../src/open.ts';
import { agree, assumptionsOf } from '../../src/questions/assumptions.ts';

const file = join(root, 'calibrations/assumed-two-cores.yaml');
const shipped = calibrationFile.parse(parseSource({ text: readFileSync(file, 'utf8'), file }).value);
const head = 'apiVersion: topo-bench/v1\n';
const files = {
  'shop.yaml': `${head}kind: Experiment
name: shop
topology: chain.yaml
factors: { architecture: [none, sidecar, central-entity] }
load: { rate: 10 }
duration: 1s
`,
  'chain.yaml': `${head}kind: Topology
name: chain
nodes: [{ name: a, region: eu }, { name: b, region: us }]
links: [{ from: eu, to: us, delay: 30ms }]
services: [{ generate: 2, work: 5ms }]
`,
};
const options = { repetitions: 3, signal: new AbortController().signal };

/** The receipt of messages alone takes time: architectures differ in their number. */
const receiptAlone = calibrationFile.parse({
  ...shipped,
  assumed: false,
  demand: {
    ...shipped.demand,
    operations: Object.fromEntries(
      Object.keys(shipped.demand.operations).map((name) => [name, { us: name === 'receive' ? 3000 : 1 }]),
    ),
    decide: { ...shipped.demand.decide, compiled: { us: 1, perRuleUs: 0 } },
    noise: { sigma: 0 },
    cold: { factor: 0, overUs: 1, overWorkUs: 1e9 },
    warmth: { factor: 0, requests: 1 },
    pauses: { collections: { probability: 0, meanUs: 0 }, stops: { probability: 0, meanUs: 0 } },
    helpers: { share: 0, meanUs: 1 },
    timerLateUs: 0,
  },
});

it('ranks what the answer depends on first, by figures of the calibration and of the files', async () => {
  const { cells } = await open({ experiment: 'shop.yaml', files });
  const fitted = {
    ...receiptAlone,
    fit: { parameters: [{ name: 'operations.receive.us', source: 'fitted' }] },
  } as typeof receiptAlone;
  const { option, against, base, effects } = await assumptionsOf(cells, fitted, options);
  expect([option, against].sort()).toEqual(['central-entity', 'sidecar']);
  expect(base.percent).toBeLessThan(0);
  const byName = Object.fromEntries(effects.map((effect) => [effect.name, effect]));
  expect(Object.keys(byName)).toEqual(expect.arrayContaining(['rate', 'work', 'link delay', 'operations.send.us']));
  expect(Object.keys(byName).filter((name) => name.startsWith('cold'))).toEqual(['cold.overUs']);
  expect(byName['operations.receive.us']).toMatchObject({ source: 'fitted', value: 3000 });
  expect(byName['operations.send.us']?.source).toBe('assumed');
  expect(byName['link delay']).toMatchObject({ source: 'stated', value: 30_000 });
  // All other times dilute the difference, each by less than their sum.
  expect(effects[0]?.name).toBe('operations.receive.us');
  expect(effects[0]?.moves).toBeGreaterThan(1);
  expect(byName['decide.json-rules-engine.us']).toMatchObject({ moves: 0 });
});

it('states no figure where architectures cannot bear the rate', async () => {
  const { cells } = await open({ experiment: 'shop.yaml', files }, { set: { 'load.rate': 120 } });
  await expect(assumptionsOf(cells, receiptAlone, { ...options, repetitions: 1 })).rejects.toThrow(
    'fewer than two architectures have a figure: others are unstable',
  );
});

it.each([
  ['six in one direction', [1, 2, 3, 1, 2, 3], true],
  ['six in the other', [-1, -2, -3, -1, -2, -3], true],
  ['five, which agree by chance', [1, 2, 3, 1, 2], false],
  ['two directions', [1, 2, 3, 1, 2, -3], false],
  ['no change', [0, 0, 0, 0, 0, 0], false],
  ['no figure', Array<number>(6).fill(Number.NaN), false],
])('repetitions agree: %s', (_, changes, agreeing) => {
  expect(agree(changes)).toBe(agreeing);
});

it('refuses an experiment with one architecture', async () => {
  const { cells } = await open({ experiment: 'shop.yaml', files }, { only: { architecture: ['sidecar'] } });
  await expect(assumptionsOf(cells, shipped, options)).rejects.toThrow(
    'sensitivity needs two architectures: got sidecar',
  );
});
