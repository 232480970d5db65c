import { randomStream } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { readReport } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, test } from 'vitest';
import { noisy } from '../../../comparison/test/fixtures/noise.ts';
import { type CellFigures, runOf } from '../../../comparison/test/fixtures/run-of.ts';
import { type SyntheticOptions, syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { askedSentences } from '../../src/report/asked-factors.ts';

/** Drift that the cells of a round share, in ms: far larger than the effect. */
const drift = [0, 41, -23, 17, 60, -35, 28];

async function sentencesOf(
  medianMs: (cell: Cell) => number,
  more: SyntheticOptions & { change?: (cell: Cell) => Cell } = {},
): Promise<string[]> {
  const folder = await temporaryFolder();
  const { change = (cell: Cell) => cell, ...options } = more;
  await syntheticRun(folder, {
    architectures: ['none', 'sidecar'],
    services: [3],
    rates: [10],
    repetitions: 7,
    requests: 3,
    ...options,
    change: (cell) =>
      change({
        ...cell,
        rtt: { ...cell.rtt, medianUs: 1e3 * (medianMs(cell) + (drift[cell.repetition - 1] as number)) },
        validity: { valid: true, reasons: [], flags: [] },
      }),
  });
  const { study } = await readReport([folder], studyReportOf);
  return [...(study.answer?.() ?? [])];
}

const isSlow = ({ factors }: Cell): boolean => factors.framework === 'express' || factors.work === '12ms';
const jitter = ({ repetition, factors }: Cell): number => (repetition * (factors.architecture === 'none' ? 3 : 5)) % 4;

describe('a factor that is varied next to the architecture', () => {
  const framework = { name: 'framework', levels: ['fastify', 'express'] };

  test('has the first sentence, compared in pairs over all architectures', async () => {
    const [first, ...more] = await sentencesOf((cell) => 200 + jitter(cell) + (isSlow(cell) ? 20 : 0), {
      varied: framework,
    });
    expect(first).toMatch(
      /^With framework express, the median round-trip time is (8|9|10|11)\.\d% longer than with framework fastify \(over 2 architectures; 95% interval \+\d+\.\d … \+\d+\.\d%; so in all 7 rounds\)\.$/,
    );
    expect(more[0]).toMatch(/^none against sidecar, in 2 settings: no difference seen in 2\./);
  });

  test('without an effect has none, where the interval rules one out', async () => {
    const [first] = await sentencesOf((cell) => 2000 + jitter(cell), { varied: framework });
    expect(first).toMatch(/^Between framework express and framework fastify, no difference that matters in the median/);
  });

  test('with too few rounds is seen, with the number that could show it', async () => {
    const [first] = await sentencesOf((cell) => 200 + (isSlow(cell) ? 20 : 0), { varied: framework, repetitions: 5 });
    expect(first).toMatch(
      /^Seen, but not shown: with framework express, the median round-trip time is \d+\.\d% longer/,
    );
    expect(first).toMatch(/all 5 rounds agree, as they do by chance in one of 16 cases: 6 rounds could show it\.$/);
  });
});

describe('several factors', () => {
  const names = ['x', 'y', 'z', 'w'].map((name) => `enforcement.${name}`);
  const sentences = (levels: Record<string, string[]>, cells: CellFigures[]): string[] =>
    askedSentences({
      runs: [runOf(cells)],
      factors: Object.entries(levels).map(([name, all]) => ({ name, levels: all })),
    });
  const architecture = ['sidecar', 'none'];

  test('without effect have a false sentence no more often than the stated rate, all together', () => {
    const random = randomStream(3, 'asked factors');
    const combinations = names.reduce<Record<string, string>[]>(
      (all, name) => all.flatMap((one) => ['1', '2'].map((level) => ({ ...one, [name]: level }))),
      [{}],
    );
    const levels = { architecture, ...Object.fromEntries(names.map((name) => [name, ['1', '2']])) };
    let alarms = 0;
    for (let run = 0; run < 100; run++) {
      const cells = architecture.flatMap((one) =>
        combinations.map((others) => ({
          factors: { architecture: one, ...others },
          mediansUs: noisy(random, 1000, 0.03, 7),
        })),
      );
      alarms += Number(sentences(levels, cells).some((text) => text.startsWith('With')));
    }
    // 5% of 100 are 5; 11 is 2.8 standard deviations above.
    expect(alarms).toBeLessThanOrEqual(11);
  });

  test('of more than five levels state the last, and that it is one of them', () => {
    const all = ['1', '2', '3', '4', '5', '6'];
    const cells = architecture.flatMap((one) =>
      all.map((x, at) => ({
        factors: { architecture: one, 'enforcement.x': x },
        mediansUs: drift.map((each, round) => (1000 + 10 * each) * (1 + 0.1 * at + 0.001 * ((round * 3) % 5))),
      })),
    );
    const [only, ...others] = sentences({ architecture, 'enforcement.x': all }, cells);
    expect(others).toEqual([]);
    expect(only).toMatch(/longer than with .* \(the last of 6 levels; over 2 architectures; 95% interval/);
  });

  test('with five rounds that agree have no interval of unpaired sides, which the drift makes wide', () => {
    const cells = architecture.flatMap((one) =>
      ['1', '2'].map((x, at) => ({
        factors: { architecture: one, 'enforcement.x': x },
        mediansUs: [1, 2, 0.5, 3, 1.5].map((each) => 1000 * each * (1 + 0.1 * at)),
      })),
    );
    const [only] = sentences({ architecture, 'enforcement.x': ['1', '2'] }, cells);
    expect(only).toMatch(
      /^Seen, but not shown: .* 10\.0% longer than .* \(over 2 architectures; so in all 5 rounds\);/,
    );
  });
});

describe('more work per request', () => {
  const work = { name: 'work', levels: ['0ms', '12ms'] };
  const busy = (cell: Cell): Cell => ({
    ...cell,
    cpuUsPerRequest: { ...cell.cpuUsPerRequest, total: isSlow(cell) ? 14_000 : 2_000 },
    outcomes: { completed: 100, refused: 0, error: 0, unfinished: 0 },
    processes: {
      service: { mainThread: { cpuUs: 1, slices: 1, waitUs: 100 * (isSlow(cell) ? 3_500 : 500) } },
    },
    resources: { ...cell.resources, host: { idlePercent: 30, foreignPercent: 31 } },
  });

  test('is shown where all rounds agree, whatever the rounds share, and longer time than work is explained', async () => {
    const sentences = await sentencesOf((cell) => 200 + jitter(cell) + (isSlow(cell) ? 20 : 0), {
      varied: work,
      architectures: ['sidecar'],
      change: busy,
    });
    const cost = sentences.find((sentence) => sentence.includes('12 ms more work per step costs')) as string;
    expect(cost).toMatch(/\+20(\.\d+)? ms of median round-trip time \[\+(19\.\d+|20) ms … \+20(\.\d+)? ms\]/);
    expect(cost).toMatch(
      /of the 20(\.\d+)? ms from 0ms to 12ms, 12 ms are CPU time, about 3 ms waits for a processor \(other programs had 31% of them\) and the other [45](\.\d+)? ms neither, e\.g\. waits behind other requests/,
    );
  });
});

describe('a factor of one class of requests', () => {
  const seats = { name: 'requests.classes.booking.payload.seats.size', levels: ['2KB', '200KB'] };
  const large = ({ factors }: Cell): boolean => factors[seats.name] === '200KB';
  const byClass = (cell: Cell): Cell => ({
    ...cell,
    rttByClass: {
      browse: cell.rtt,
      booking: { ...cell.rtt, count: 20, medianUs: cell.rtt.medianUs * (large(cell) ? 1.5 : 1) },
    },
  });

  test('has the time of that class, whatever most requests do', async () => {
    const [first] = await sentencesOf((cell) => 2000 + jitter(cell), { varied: seats, change: byClass });
    expect(first).toMatch(
      /^With seats of booking: 200KB, the median round-trip time of requests of the class booking is (49|50)\.?\d*% longer than with seats of booking: 2KB \(/,
    );
    const alone = { varied: seats, change: byClass, architectures: ['sidecar'] };
    const sentences = await sentencesOf((cell) => 2000 + jitter(cell), alone);
    expect(sentences[0]).toMatch(/requests of the class booking is/);
  });

  test('has that of all requests in results without it', async () => {
    const [first] = await sentencesOf((cell) => 2000 + jitter(cell), { varied: seats });
    expect(first).toMatch(/no difference that matters in the median round-trip time is seen/);
  });
});

test('a factor that moves the gateways of clients has the response time, which includes the way to them', async () => {
  const gateways = { name: 'gateways', levels: ['one', 'per region'] };
  const [first] = await sentencesOf((cell) => 2000 + jitter(cell), {
    varied: gateways,
    change: (cell) => ({
      ...cell,
      responseTime: {
        ...cell.rtt,
        medianUs: cell.rtt.medianUs + (cell.factors.gateways === 'one' ? 900_000 : 20_000),
      },
    }),
  });
  expect(first).toMatch(
    /^With gateways per region, the median response time, with the way to the client, is 30\.\d% shorter/,
  );
});
