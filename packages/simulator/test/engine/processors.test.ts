/** The cores alone: M/M/c, and what stays, pulls and comes first. */
import { randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { exponentialTable, tableSize } from '../../src/engine/distributions.ts';
import { EventCalendar } from '../../src/engine/event-calendar.ts';
import { Processors } from '../../src/engine/processors.ts';
import { UniformDraws } from '../../src/engine/uniform-draws.ts';

const shared = { stay: 0, pull: 1, sliceUs: 3000 };
const draws = () => new UniformDraws(randomStream(1, 'a test'));

function processorsWith(cores: number[], processes: number, scheduling = shared, priorityOf = (_: number) => 2) {
  const hosts = Int32Array.from({ length: processes }, (_, process) => process % cores.length);
  const priorities = Int32Array.from({ length: processes }, (_, process) => priorityOf(process));
  return new Processors(cores, hosts, priorities, 0, scheduling, draws());
}

/** Mean time in the system, in mean service times. Each job is a process of its own. */
function meanTime(cores: number, utilisation: number, jobs: number, seed: number): number {
  const processors = processorsWith([cores], jobs);
  const calendar = new EventCalendar(4);
  const random = new UniformDraws(randomStream(seed, 'cores'));
  const draw = (): number => exponentialTable[(random.next() * tableSize) | 0] as number;
  const arrivedAt = new Float64Array(jobs);
  let total = 0;
  const start = (core: number, job: number): void => {
    processors.start(core, job, calendar.nowUs);
    calendar.schedule(calendar.nowUs + draw(), calendar.take(-1 - core, 0, 0, -1));
  };
  calendar.schedule(draw() / (utilisation * cores), calendar.take(0, 0, 0, -1));
  for (let left = jobs; left > 0; ) {
    const slot = calendar.pop();
    const what = calendar.process[slot] as number;
    calendar.release(slot);
    if (what >= 0) {
      arrivedAt[what] = calendar.nowUs;
      if (what + 1 < jobs) {
        calendar.schedule(calendar.nowUs + draw() / (utilisation * cores), calendar.take(what + 1, 0, 0, -1));
      }
      const core = processors.coreFor(what, -1);
      if (processors.running[core] === -1) start(core, what);
      else processors.enqueue(core, what);
    } else {
      const core = -1 - what;
      total += calendar.nowUs - (arrivedAt[processors.running[core] as number] as number);
      left--;
      const next = processors.nextFor(core);
      if (next >= 0) start(core, next);
    }
  }
  return total / jobs;
}

/** Erlang's C formula: mean time in M/M/c, in mean service times. */
function erlangC(cores: number, utilisation: number): number {
  const load = cores * utilisation;
  let term = 1;
  let sum = 0;
  for (let k = 0; k < cores; k++) {
    sum += term;
    term *= load / (k + 1);
  }
  const waiting = term / (1 - utilisation) / (sum + term / (1 - utilisation));
  return 1 + waiting / (cores * (1 - utilisation));
}

describe('cores', () => {
  it.each([
    [1, 0.6],
    [2, 0.7],
    [5, 0.8],
  ])('that share their queues are M/M/c: %i cores, %f busy', (cores, utilisation) => {
    const replications = 12;
    const means = Array.from({ length: replications }, (_, i) => meanTime(cores, utilisation, 8000, i + 1));
    const mean = means.reduce((sum, value) => sum + value, 0) / replications;
    const variance = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (replications - 1);
    const half = 4.437 * Math.sqrt(variance / replications);
    expect(Math.abs(mean - erlangC(cores, utilisation)), `${mean} ± ${half}`).toBeLessThan(half);
    expect(half / mean).toBeLessThan(0.1);
  });

  it('belong to hosts: a process finds a core of its own host only', () => {
    const processors = processorsWith([1, 2], 4);
    const cores = [0, 1, 2, 3].map((process) => {
      const core = processors.coreFor(process, -1);
      if (processors.running[core] === -1) processors.start(core, process, 0);
      else processors.enqueue(core, process);
      return core;
    });
    expect(cores).toEqual([0, 1, 0, 2]);
    expect(processors.nextFor(1)).toBe(-1);
    expect(processors.nextFor(0)).toBe(2);
  });

  it('run generators first, then the gateway, then others in the order of their arrival', () => {
    const processors = processorsWith([1], 6, shared, (process) => [2, 2, 1, 2, 0, 2][process] as number);
    processors.start(0, 0, 0);
    for (const process of [1, 2, 3, 4, 5]) processors.enqueue(processors.coreFor(process, -1), process);
    expect([1, 2, 3, 4, 5].map(() => processors.nextFor(0))).toEqual([4, 2, 1, 3, 5]);
    expect(processors.nextFor(0)).toBe(-1);
  });

  it('keep a process at its waker as often as `stay` states, and take from another queue as often as `pull`', () => {
    const often = processorsWith([2], 3, { ...shared, stay: 0.3, pull: 0.8 });
    often.start(0, 0, 0);
    const stayed = Array.from({ length: 4000 }, () => often.coreFor(1, 0)).filter((core) => core === 0).length;
    expect(stayed / 4000).toBeCloseTo(0.3, 1);
    let pulled = 0;
    for (let i = 0; i < 4000; i++) {
      often.enqueue(0, 1);
      if (often.nextFor(1) === 1) pulled++;
      else often.nextFor(0);
    }
    expect(pulled / 4000).toBeCloseTo(0.8, 1);
  });
});
