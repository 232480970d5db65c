/** What limited a cell: a role, the processors of the host, other programs, a CPU limit, or the load generator. */
import { isSteady, stateText } from '@topo-bench/core';
import type { Cell, Prediction, ResourceUse } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';

export interface Bottleneck {
  /** `none`: nothing that was measured had reached its limit. */
  kind: 'role' | 'host' | 'foreign' | 'stolen' | 'cpu-limit' | 'generator' | 'none';
  /** Present for a simulated cell that is not steady: then its bottleneck is the limit, whatever `kind` is. */
  prediction?: Prediction;
  /** The busiest role, also where it was not the limit; undefined without figures. */
  role: string | undefined;
  /** Highest share of its time that an event loop of this role was busy, 0…1; NaN when unknown. */
  eventLoop: number;
  /** Idle share of the host's processors, in %; NaN when unknown. */
  idlePercent: number;
  /** Share of the processors that other programs (`foreign`) or other guests (`stolen`) used, in %. */
  otherPercent: number;
}

/** A busy event loop has no time left for its queue to shrink. */
const fullEventLoop = 0.9;
/** As for the flag `host-saturated`. */
const fullHostIdlePercent = 5;
/** The share of all cores from which other programs count as a cause. */
const otherSharePercent = 10;

/**
 * The limit of these repetitions of one cell; each figure is the median over them. A full host is named before a busy
 * event loop: a thread that waits for a processor looks busy too. Of a host that other programs filled by 10% or more,
 * they are named.
 */
export function bottleneckOf(cells: readonly Pick<Cell, 'resources' | 'validity' | 'prediction'>[]): Bottleneck {
  const host = (key: keyof ResourceUse): number => medianOf(cells.map(({ resources }) => resources.host?.[key]));
  const [foreign, stolen] = [zeroIfUnknown(host('foreignPercent')), zeroIfUnknown(host('stolenPercent'))];
  const { role, eventLoop } = busiestRole(cells);
  // All repetitions of a cell have the same.
  const prediction = cells.find((cell) => !isSteady(cell))?.prediction;
  const facts = {
    role,
    eventLoop,
    idlePercent: host('idlePercent'),
    otherPercent: 0,
    ...(prediction && { prediction }),
  };
  if (facts.idlePercent < fullHostIdlePercent) {
    if (Math.max(foreign, stolen) < otherSharePercent) return { kind: 'host', ...facts };
    return foreign >= stolen
      ? { kind: 'foreign', ...facts, otherPercent: foreign }
      : { kind: 'stolen', ...facts, otherPercent: stolen };
  }
  if (isInMost(cells, 'generator-limited')) return { kind: 'generator', ...facts };
  if (isInMost(cells, 'cpu-throttled')) return { kind: 'cpu-limit', ...facts };
  return { kind: eventLoop >= fullEventLoop ? 'role' : 'none', ...facts };
}

/** The role of the busiest event loop. The generator is no part of the system. */
function busiestRole(cells: readonly Pick<Cell, 'resources'>[]): { role: string | undefined; eventLoop: number } {
  const roles = new Set(cells.flatMap(({ resources }) => Object.keys(resources)));
  const found = [...roles]
    .filter((role) => role !== 'host' && role !== 'generator')
    .map((role) => ({
      role,
      eventLoop: medianOf(cells.map(({ resources }) => resources[role]?.eventLoopUtilization)),
    }))
    .filter(({ eventLoop }) => !Number.isNaN(eventLoop))
    .sort((a, b) => b.eventLoop - a.eventLoop);
  return found[0] ?? { role: undefined, eventLoop: Number.NaN };
}

function isInMost(cells: readonly Pick<Cell, 'validity'>[], flag: string): boolean {
  return cells.filter(({ validity }) => validity.flags.includes(flag)).length > cells.length / 2;
}

/** NaN where none is known. */
function medianOf(values: readonly (number | undefined)[]): number {
  return median(values.filter((value) => value !== undefined));
}

function zeroIfUnknown(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}

/** After "at 160 req/s": `the event loop of central-entity is 98% busy`. */
export function bottleneckText({ kind, role, eventLoop, idlePercent, otherPercent, prediction }: Bottleneck): string {
  if (prediction) return `it is ${stateText(prediction)}`;
  const busy = `the event loop of ${role} is ${percent(100 * eventLoop)} busy`;
  switch (kind) {
    case 'role':
      return busy;
    case 'host':
      return `the processors of the host are the limit (${percent(idlePercent)} idle${role === undefined ? '' : `; ${busy}`})`;
    case 'foreign':
      return `other programs have ${percent(otherPercent)} of the processors, of which ${percent(idlePercent)} are idle`;
    case 'stolen':
      return `other guests of the hypervisor have ${percent(otherPercent)} of the processors`;
    case 'cpu-limit':
      return 'a limit on CPU time stops roles';
    case 'generator':
      return 'the load generator is the limit';
    case 'none':
      return role === undefined ? 'no limit was found' : `no role is at its limit (the busiest: ${busy})`;
  }
}

function percent(value: number): string {
  return Number.isNaN(value) ? 'an unknown share' : `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)}%`;
}
