import type { Cell } from '@topo-bench/core/schema/result';
import { resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { type CostModel, costModelOf, demandOf } from '../../src/bearable/cost-model.ts';
import { cellToProbe, probeCost } from '../../src/bearable/cost-probe.ts';

function cellsOf(factors: string, more = '', settings = ''): ExperimentCell[] {
  const topology = `apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 2 }]\n${more}`;
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\nfactors: ${factors}\n${settings}`;
  const inputs = {
    experiment: { file: 'test.yaml', text },
    topology: { file: 'chain.yaml', text: topology },
    choices: {},
  };
  return resolveExperiment(inputs, studies).cells;
}

/** CPU time per request as if a message took 100 µs at the gateway and points, 200 µs at services, and a rule 30 µs. */
function measured(cpuUsPerRequest: Record<string, number>): Cell {
  return {
    cpuUsPerRequest,
    achievedRps: 50,
    resources: { generator: { cpuPercent: 1 } },
  } as unknown as Cell;
}

describe('the estimated CPU time of a cell', () => {
  const cells = cellsOf('{ architecture: [none, central-entity, sidecar], services: [2, 4], rulesPerService: [0, 5] }');
  const cellOf = (architecture: string, services: number, rulesPerService: number): ExperimentCell =>
    cells.find(
      ({ levels }) =>
        levels.architecture === architecture &&
        levels.services === services &&
        levels.rulesPerService === rulesPerService,
    ) as ExperimentCell;
  // A chain of 2 under a central entity: the gateway has 3 messages (client, pass, report), the entity 4, a service 1.
  const entry = measured({ gateway: 300, 'central-entity': 400 + 10 * 30, service: 2 * 200, total: 1 });
  const model = costModelOf(cellOf('central-entity', 2, 5), entry) as CostModel;

  it('finds the costs of messages and rules in one measured cell', () => {
    expect(model).toEqual({
      gatewayMessageUs: 100,
      serviceMessageUs: 200,
      pointMessageUs: 100,
      ruleUs: 30,
      generatorUs: 200,
    });
  });

  it('is unknown where no request was answered', () => {
    expect(costModelOf(cellOf('central-entity', 2, 5), measured({}))).toBeUndefined();
  });

  it('scales them to other numbers of services and rules, and to other architectures', () => {
    const us = (cell: ExperimentCell): number => demandOf(cell, model, 2).cpuUsPerRequest;
    expect(us(cellOf('central-entity', 2, 0))).toBe(300 + 400 + 400);
    expect(us(cellOf('central-entity', 4, 5))).toBe(300 + 600 + 20 * 30 + 4 * 200);
    // Every sidecar: received, called its service, passed on or reported.
    expect(us(cellOf('sidecar', 4, 5))).toBe(300 + 4 * (300 + 150) + 4 * 200);
    // Services do their step and pass on: two messages each.
    expect(us(cellOf('none', 4, 5))).toBe(300 + 4 * 2 * 200);
  });

  it('compares the demand with the processors of the host and with one event loop', () => {
    const { hostShare, busiest } = demandOf(cellOf('central-entity', 2, 5), model, 2);
    const { rate } = cellOf('central-entity', 2, 5).settings.load;
    expect(hostShare).toBeCloseTo((rate * (300 + 700 + 400 + 200)) / 1e6 / 2);
    expect(busiest).toEqual({ role: 'central-entity', share: (rate * 700) / 1e6 });
  });

  it('probes the smallest cell that enforces rules', () => {
    expect(cellToProbe(cells)?.levels).toMatchObject({ architecture: 'central-entity', services: 2 });
    expect(cellToProbe(cellsOf('{ architecture: [none], services: [4, 2] }'))?.levels.services).toBe(2);
    const closed = cells.map((cell) => ({
      ...cell,
      settings: { ...cell.settings, load: { ...cell.settings.load, driver: 'autocannon' as const } },
    }));
    expect(cellToProbe(closed)).toBeUndefined();
  });

  it('is short, so events of a longer load are left out', async () => {
    const settings = 'duration: 10s\nevents: [{ at: 5s, crash: svc-1, restart: 1s }]\n';
    const [cell] = cellsOf('{ architecture: [none] }', '', settings) as [ExperimentCell];
    expect(cell.settings.events).toHaveLength(1);
    const probed: ExperimentCell[] = [];
    const entry = measured({ gateway: 300, service: 400, total: 700 });
    const bed = { measure: async () => ({ entry }), close: async () => undefined };
    const backend = {
      async deploy(one: ExperimentCell) {
        probed.push(one);
        return bed as never;
      },
    };
    await probeCost(cell, backend, {} as never);
    expect(probed.map(({ settings: { duration, events } }) => [duration, events])).toEqual([[2e6, []]]);
  });
});
