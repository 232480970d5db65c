import { resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { estimateOf } from './fixtures/estimates.ts';

function estimate(fields: string, factors = 'rate: [50, 100]') {
  const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 2 }]\n';
  const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\n';
  const load = `duration: 10s\ndrain: 20s\nwarmup: { max: 60s }\nfactors: { ${factors} }\nrepetitions: 5\n`;
  return estimateOf(
    resolveExperiment(
      {
        experiment: { file: 'test.yaml', text: head + load + fields },
        topology: { file: 'chain.yaml', text: topology },
        choices: {},
      },
      studies,
    ),
  );
}

test('the upper limit includes the max number of remeasurements, each on a deployment of its own', async () => {
  const [never, fifth, whole] = await Promise.all(
    ['0%', '20%', '100%'].map((share) => estimate(`validity: { remeasure: ${share} }\n`)),
  );
  expect(fifth?.seconds).toBe(never?.seconds);
  const added = (fifth?.maxSeconds ?? 0) - (never?.maxSeconds ?? 0);
  // Two of ten: deploy and 60 s of warm-up, 10 s of load, 20 s of drain.
  expect(added).toBeGreaterThan(2 * 90);
  expect(added).toBeLessThan(2 * 120);
  expect((whole?.maxSeconds ?? 0) - (never?.maxSeconds ?? 0)).toBeCloseTo(5 * added);
});

test('a closed model has no late requests', async () => {
  const [never, fifth] = await Promise.all(
    ['0%', '20%'].map((share) =>
      estimate(`load: { driver: autocannon }\nvalidity: { remeasure: ${share} }\n`, 'connections: [1, 2]'),
    ),
  );
  expect(fifth?.maxSeconds).toBe(never?.maxSeconds);
});
