/**
 * How late each way of waiting for the next intended send time wakes, and what it costs: the figures behind the choice
 * of pacer.
 * Usage: tsx loadgen/bench/pacing.ts [--rate 1000] [--seconds 4]
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomStream } from '@topo-bench/core';
import { hostClock } from '@topo-bench/host';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { arrivalTimesUs } from '@topo-bench/workload';
import { createPacer } from '../src/open/pacer.ts';
import { workerEntry } from './bundle.ts';

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '1000' }, seconds: { type: 'string', default: '4' } },
});
const timesUs = arrivalTimesUs('poisson', Number(values.rate), Number(values.seconds) * 1e6, randomStream(1, 'pacing'));

/** Sends what is due. @returns how long to wait for the next, in µs; undefined when all are sent. */
type SendDue = () => number | undefined;
type Way = (sendDue: SendDue, startAtUs: number) => void | Promise<void>;

const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** A timer may fire up to a millisecond late: the last stretch is left to something finer. */
const lastStretchUs = 1500;

const ways: Record<string, Way> = {
  'timers alone': function again(sendDue) {
    const waitUs = sendDue();
    if (waitUs !== undefined) setTimeout(() => again(sendDue), waitUs / 1e3);
  },
  'every turn of the event loop': function again(sendDue) {
    if (sendDue() !== undefined) setImmediate(() => again(sendDue));
  },
  'timers, then every turn': function again(sendDue) {
    const waitUs = sendDue();
    if (waitUs === undefined) return;
    if (waitUs > lastStretchUs) setTimeout(() => again(sendDue), waitUs / 1e3 - 1);
    else setImmediate(() => again(sendDue));
  },
  'timers, then a blocked event loop': function again(sendDue) {
    const waitUs = sendDue();
    if (waitUs === undefined) return;
    if (waitUs > lastStretchUs) setTimeout(() => again(sendDue), waitUs / 1e3 - 1);
    else {
      Atomics.wait(sleeper, 0, 0, waitUs / 1e3);
      setImmediate(() => again(sendDue));
    }
  },
  'helper thread (chosen)': async (sendDue, startAtUs) => {
    const pacer = await createPacer(timesUs, fileURLToPath(workerEntry));
    pacer.start(startAtUs, () => {
      const waitUs = sendDue();
      if (waitUs === undefined) pacer.stop();
      return waitUs ?? Number.POSITIVE_INFINITY;
    });
  },
};

console.log(`${values.rate} wake-ups/s, Poisson, ${values.seconds} s each\n`);
console.log('| way of waiting | lag p50 | lag p99 | CPU, cores | event loop held |\n|---|---|---|---|---|');
for (const [name, way] of Object.entries(ways)) await measure(name, way);

async function measure(name: string, way: Way): Promise<void> {
  const startAtUs = hostClock.nowUs() + 1e6;
  const lagsUs: number[] = [];
  const finished = new Promise<void>((resolve) => {
    const sendDue: SendDue = () => {
      const nowUs = hostClock.nowUs() - startAtUs;
      while (lagsUs.length < timesUs.length && (timesUs[lagsUs.length] as number) <= nowUs) {
        lagsUs.push(nowUs - (timesUs[lagsUs.length] as number));
      }
      if (lagsUs.length < timesUs.length) return (timesUs[lagsUs.length] as number) - nowUs;
      resolve();
      return undefined;
    };
    // Ways that look all the time begin at the start; the helper thread needs a moment before it.
    if (way.length > 1) void way(sendDue, startAtUs);
    else setTimeout(() => way(sendDue, startAtUs), 1000);
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const [cpu, loop, fromMs] = [process.cpuUsage(), performance.eventLoopUtilization(), performance.now()];
  await finished;
  const { user, system } = process.cpuUsage(cpu);
  const cores = (user + system) / 1e3 / (performance.now() - fromMs);
  const held = performance.eventLoopUtilization(loop).utilization;
  const sorted = sortedCopy(lagsUs);
  const ms = (q: number): string => `${(quantileOfSorted(sorted, q) / 1e3).toFixed(2)} ms`;
  console.log(`| ${name} | ${ms(0.5)} | ${ms(0.99)} | ${cores.toFixed(2)} | ${(100 * held).toFixed(0)}% |`);
}
