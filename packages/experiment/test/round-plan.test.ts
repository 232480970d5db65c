import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { resolveExperiment } from '../src/resolve-experiment.ts';
import { groupNames, processesOf, roundPlan } from '../src/round-plan.ts';

const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 4 }]\n';

function resolved(fields: string) {
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\n${fields}`;
  return resolveExperiment(
    {
      experiment: { file: 'test.yaml', text },
      topology: { file: 'chain.yaml', text: topology },
      choices: {},
    },
    studies,
  );
}

const grid = (deploy: string) =>
  resolved(
    `factors: { architecture: [none, sidecar], services: [2, 4, 8], rate: [10, 20] }\nseed: 7\ndeploy: ${deploy}\nduration: 3s\n`,
  );
const unlimited = { maxProcessesOf: () => 1e9 };
const name = ({ levels }: ExperimentCell) => `${levels.architecture}/${levels.services}/${levels.rate}`;

describe('the plan of a round', () => {
  it('measures one cell after the other unless levels take turns', () => {
    for (const [deploy, groups] of [
      ['fresh', 12],
      ['round', 6],
    ] as const) {
      const plan = roundPlan(grid(deploy).cells, unlimited, 7, 1);
      expect(plan).toHaveLength(groups);
      expect(plan.flatMap(({ loads }) => loads.map((load) => load.length))).toEqual(Array(12).fill(1));
    }
  });

  it('gives all deployments turns at one rate, then at the next, in an order shuffled by round', () => {
    const { cells } = grid('interleaved');
    const orders = [1, 2, 3, 4, 5, 6].map((round) => {
      const plan = roundPlan(cells, unlimited, 7, round);
      expect(plan).toHaveLength(1);
      const loads = plan[0]?.loads ?? [];
      for (const load of loads) {
        expect(new Set(load.map(({ levels }) => levels.rate)).size).toBe(1);
        expect(new Set(load.map(({ deployment }) => deployment)).size).toBe(6);
      }
      expect(loads).toHaveLength(2);
      return loads.map((load) => load.map(name).join(' ')).join(' | ');
    });
    expect(new Set(orders).size).toBe(6);
    expect(
      roundPlan(cells, unlimited, 7, 3)[0]
        ?.loads.map((load) => load.map(name).join(' '))
        .join(' | '),
    ).toBe(orders[2]);
  });

  it('splits deployments that are too large for the machine into groups, but never compared cells', () => {
    const { cells } = grid('interleaved');
    // none: gateway and services; sidecar: a sidecar more per service. 3 + 5, 5 + 9, 9 + 17 processes.
    const sizes = [2, 4, 8].map((services) => processesOf(cells.filter(({ levels }) => levels.services === services)));
    expect(sizes).toEqual([8, 14, 26]);
    const groupsFor = (limit: number) => {
      const names = groupNames(cells, { maxProcessesOf: () => limit });
      return [2, 4, 8].map((services) => {
        const groups = new Set(
          cells.filter(({ levels }) => levels.services === services).map((cell) => names.get(cell)),
        );
        expect(groups.size).toBe(1);
        return [...groups][0];
      });
    };
    expect(new Set(groupsFor(48)).size).toBe(1);
    const [small, middle, large] = groupsFor(40);
    expect(small).toBe(middle);
    expect(large).not.toBe(middle);
    expect(new Set(groupsFor(26)).size).toBe(2);
    expect(() => groupNames(cells, { maxProcessesOf: () => 25 })).toThrow(
      expect.objectContaining({
        code: 'TB_EXPERIMENT_TOO_MANY_PROCESSES',
        exitCode: 3,
        message: expect.stringContaining('26 processes'),
      }),
    );
  });
});

describe('levels that cannot take turns', () => {
  const problemOf = (fields: string) => {
    try {
      resolved(fields);
    } catch (error) {
      return (error as { problems: object[] }).problems;
    }
    throw new Error('resolved');
  };

  it('are rejected with their location in the file', () => {
    expect(problemOf('deploy: interleaved\nload: { driver: autocannon }\n')).toEqual([
      {
        file: 'test.yaml',
        line: 5,
        column: 9,
        code: 'TB_EXPERIMENT_INTERLEAVED',
        message: '`deploy: interleaved` needs scheduled arrivals, and load.driver is autocannon',
        hint: 'set load.driver to open, with a rate',
      },
    ]);
    expect(problemOf('deploy: interleaved\nturns: { slice: 10us }\n')).toMatchObject([
      { code: 'TB_EXPERIMENT_INTERLEAVED' },
    ]);
  });
});
