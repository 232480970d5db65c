/** When the coordinator reports the phases of a load: on generators in memory, whose messages a test orders. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hostClock, hostClockName } from '@topo-bench/host';
import { expect, it } from 'vitest';
import type { FromGenerator, ShardResult, ToGenerator } from '../../src/generator/messages.ts';
import { runGenerators } from '../../src/generator/run-generators.ts';
import type { GeneratorLink, LinkListener } from '../../src/launcher/launcher.ts';
import { emptySamples } from '../../src/samples.ts';
import { jobFor } from '../fixtures/server.ts';

const result: ShardResult = {
  samples: emptySamples(0),
  bodies: undefined,
  inFlightMax: 0,
  use: { windowUs: 1, cpuUs: 1, eventLoopUtilization: 0, rssBytes: 1 },
};

/** @param onStart sends the messages of a load that has started */
function linkInMemory(onStart: (startAtUs: number, send: (message: FromGenerator) => void) => void): GeneratorLink {
  let listener: LinkListener | undefined;
  const answer = (message: ToGenerator): void => {
    const send = (answered: FromGenerator): void => listener?.onMessage(answered);
    const reading = { nowUs: hostClock.nowUs(), errorUs: 0, clock: hostClockName() };
    if (message.type === 'readClock') send({ type: 'clock', reading });
    else if (message.type === 'prepare') send({ type: 'ready', threads: undefined });
    else onStart(message.startAtUs, send);
  };
  return {
    name: 'in memory',
    listen: (own) => {
      listener = own;
    },
    send: (message) => queueMicrotask(() => answer(message)),
    prioritise: async () => true,
    end: async () => undefined,
  };
}

it('reports the instant of the start, and the end of the drain of all generators before any result', async () => {
  const events: string[] = [];
  const starts: number[] = [];
  const link = (drainMs: number) =>
    linkInMemory(async (startAtUs, send) => {
      starts.push(startAtUs);
      await sleep((startAtUs - hostClock.nowUs()) / 1e3 + 100 + drainMs);
      events.push('one has drained');
      send({ type: 'drained' });
      await sleep(150);
      events.push('result');
      send({ type: 'done', result, startLateUs: 0 });
    });
  let announced = Number.NaN;
  const job = jobFor('http://127.0.0.1:1/', { durationUs: 50_000, processes: 2 });
  const launcher = { isRemote: false, launch: async () => [link(0), link(60)], keepAwake: async () => undefined };
  const load = await runGenerators({
    ...{ driver: 'open', job, launcher },
    observer: {
      onStart: (startAtUs) => {
        announced = startAtUs;
        events.push('start');
      },
      onLoadEnd: () => void events.push('end of load'),
      onDrained: () => void events.push('all have drained'),
    },
  });
  expect(events).toEqual([
    'start',
    'end of load',
    'one has drained',
    'one has drained',
    'all have drained',
    'result',
    'result',
  ]);
  expect([announced, ...starts]).toEqual([load.startAtUs, load.startAtUs, load.startAtUs]);
});
