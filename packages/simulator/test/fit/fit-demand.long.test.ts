/** Oracle of the fit: cells simulated from known parameters stand for measurements. */
import { normalQuantile, randomStream } from '@topo-bench/core';
import type { CellFigures, DemandModel } from '@topo-bench/core/schema/calibration';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { planDeployment } from '@topo-bench/deployment/plan-deployment';
import { graphOf } from '@topo-bench/topology';
import { scheduleUs } from '@topo-bench/workload';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  drawnModel,
  type FittedDemand,
  figuresUnder,
  fitDemand,
  type ModelledCell,
  withValues,
} from '../../src/fit/index.ts';
import { SimulatedDeployment } from '../../src/index.ts';
import { busyModel, hostWith } from '../fixtures/free-model.ts';

/** The machine to find: slower and colder than the model that the fit starts from. */
const truth: DemandModel = withValues(busyModel, {
  'operations.receive.us': 140,
  'operations.send.us': 110,
  'operations.accept.us': 170,
  'operations.answer.us': 70,
  'cold.factor': 1.6,
  'noise.sigma': 0.3,
  'wake.us': 45,
  'scheduling.stay': 0.6,
});

async function cellOf(architecture: string, services: number, rateRps: number, seconds = 12): Promise<ModelledCell> {
  const [name, routers] = architecture.split('/');
  const topology: TopologyInput = {
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'chain', services: [{ generate: services }] },
    ...{
      defaults: { work: '100us' },
      enforcement: { architecture: name as 'none', ...(routers && { routers: Number(routers) }) },
    },
  };
  const graph = graphOf(topology);
  const plan = planDeployment(graph);
  const deployment = await SimulatedDeployment.of(graph, plan, { seed: 1 });
  const durationUs = seconds * 1e6;
  const request = { class: '', origin: '', categories: [], consents: [], purpose: '', payload: { order: 'one' } };
  return {
    deployment,
    setup: {
      cluster: hostWith(2, graph.nodes.length),
      scheduleUs: scheduleUs({ arrivals: 'poisson', rateRps, durationUs, seed: 1, repetition: 1, urls: [''] }),
      requestOf: (index) => ({ ...request, id: `r${index}` }),
      ...{ repetition: 1, durationUs, drainUs: 60e6, servedBefore: 4000 },
    },
  };
}

const levels = ['none', 'central-entity', 'sidecar'].flatMap((architecture) =>
  [3, 6].flatMap((services) => [20, 60, 140].map((rate) => [architecture, services, rate] as const)),
);

/** Other noise than that of the fit: a repetition of its own. */
function measuredOn(cell: ModelledCell, error: (figure: string) => number = () => 1): CellFigures {
  const repetition = { ...cell, setup: { ...cell.setup, repetition: 7 } };
  const { q1Us, medianUs, q3Us, p95Us, cpuUs, cpuUsByKind, waitUs = 0 } = figuresUnder(repetition, truth);
  const rtt = error('rtt');
  const cpu = Object.entries(cpuUsByKind).map(([kind, us]) => [kind, us * error(kind)]);
  return {
    ...{ q1Us: q1Us * rtt, medianUs: medianUs * rtt, q3Us: q3Us * rtt, p95Us: p95Us * rtt * error('p95') },
    ...{ cpuUs, cpuUsByKind: Object.fromEntries(cpu), waitUs },
  };
}

async function fitOf(error?: (figure: string) => number): Promise<FittedDemand> {
  const cells = await Promise.all(levels.map((level) => cellOf(...level)));
  const known = cells.map((cell) => ({ ...cell, measured: measuredOn(cell, error), busyShare: 0.3 }));
  return fitDemand(known, { prior: busyModel, engine: 'compiled', requests: 400, iterations: 5 });
}

/** Largest |log(predicted / true)| of cells that no fit has seen: another N, architecture, rate. */
async function heldOutErrors(model: DemandModel): Promise<{ median: number; p95: number; cpu: number }> {
  const unseen = [
    ['dynamic-router/2', 6, 60],
    ['none', 12, 60],
    ['sidecar', 4, 100],
    ['central-entity', 9, 40],
  ] as const;
  const errors = { median: 0, p95: 0, cpu: 0 };
  for (const [architecture, services, rate] of unseen) {
    const cell = await cellOf(architecture, services, rate, 30);
    const [predicted, real] = [figuresUnder(cell, model), measuredOn(cell)];
    const off = (a: number, b: number): number => Math.abs(Math.log(a / b));
    errors.median = Math.max(errors.median, off(predicted.medianUs, real.medianUs));
    errors.p95 = Math.max(errors.p95, off(predicted.p95Us, real.p95Us));
    errors.cpu = Math.max(errors.cpu, off(predicted.cpuUs, real.cpuUs));
  }
  return errors;
}

describe('the fit of demand to cells of a known machine', { timeout: 300_000 }, () => {
  let exact: FittedDemand;

  beforeAll(async () => {
    exact = await fitOf();
  }, 300_000);

  it('predicts cells that it has not seen, which the model before it does not', async () => {
    const [before, after] = [await heldOutErrors(busyModel), await heldOutErrors(exact.model)];
    expect(after.median).toBeLessThan(0.12);
    expect(after.p95).toBeLessThan(0.22);
    expect(after.cpu).toBeLessThan(0.1);
    expect(before.median).toBeGreaterThan(0.25);
  });

  it('finds what the cells distinguish: the spread of turns, and the time of cold ones over that of warm ones', () => {
    const { parameters, covariance, model } = exact;
    const sdOf = (name: string): number => {
      const i = parameters.findIndex((parameter) => parameter.name === name);
      return Math.sqrt(covariance[i]?.[i] as number);
    };
    for (const { name, priorSd } of parameters) {
      expect(sdOf(name), name).toBeGreaterThan(0);
      expect(sdOf(name), name).toBeLessThanOrEqual(priorSd * 1.001);
    }
    expect(sdOf('noise.sigma')).toBeLessThan(0.3);
    expect(Math.abs(Math.log(model.noise.sigma / truth.noise.sigma))).toBeLessThan(0.35);
    const off = (of: DemandModel): number => Math.abs(Math.log((1 + of.cold.factor) / (1 + truth.cold.factor)));
    expect(off(model)).toBeLessThan(off(busyModel));
  });

  it('draws models around it that predict alike, and no two of them the same', async () => {
    const fit = {
      ...exact,
      parameters: exact.parameters.map(({ name }) => ({ name, value: 0, logSd: 0, source: 'fitted' as const })),
    };
    const random = randomStream(5, 'draws', 0);
    const cell = await cellOf('sidecar', 6, 60);
    const medians = Array.from(
      { length: 8 },
      () => figuresUnder(cell, drawnModel(exact.model, fit, random), 300).medianUs,
    );
    const { medianUs } = figuresUnder(cell, exact.model, 300);
    expect(new Set(medians).size).toBe(8);
    for (const median of medians) expect(Math.abs(Math.log(median / medianUs))).toBeLessThan(0.5);
  });

  it('bears figures of which each is off by a tenth', async () => {
    const random = randomStream(9, 'planted', 0);
    const noisy = await fitOf(() => Math.exp(0.1 * normalQuantile(random.uniform() * 0.999 + 0.0005)));
    const { median, p95, cpu } = await heldOutErrors(noisy.model);
    expect(median).toBeLessThan(0.2);
    expect(p95).toBeLessThan(0.3);
    expect(cpu).toBeLessThan(0.15);
  });
});
