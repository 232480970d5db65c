import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessTimeline } from '@topo-bench/core';
import { afterEach, describe, expect, it } from 'vitest';
import { hostClock } from '../../src/clock/host-clock.ts';
import { TimelineRecorder } from '../../src/process/timeline-recorder.ts';

const recorders: TimelineRecorder[] = [];
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  for (const recorder of recorders.splice(0)) recorder.close();
});

function started(options?: ConstructorParameters<typeof TimelineRecorder>[0]): TimelineRecorder {
  const recorder = new TimelineRecorder(options);
  recorders.push(recorder);
  recorder.restart();
  recorder.active();
  // As requests do.
  const requests = setInterval(() => recorder.active(), 10);
  stops.push(() => clearInterval(requests));
  return recorder;
}

/** Time on a processor and waits for one, in µs, of the main thread of this process. */
function threadTimes(): { ranUs: number; waitedUs: number } {
  const [ranUs = 0, waitedUs = 0] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8')
    .split(' ')
    .map((ns) => Number(ns) / 1e3);
  return { ranUs, waitedUs };
}

/** Keeps the event loop busy. @returns when, on the clock of the host, and what the thread did; a busy host stops it */
function block(ms: number) {
  const [fromUs, before] = [hostClock.nowUs(), threadTimes()];
  while (hostClock.nowUs() - fromUs < ms * 1e3);
  const after = threadTimes();
  return { fromUs, toUs: hostClock.nowUs(), hadCore: after.ranUs - before.ranUs > after.waitedUs - before.waitedUs };
}

const read = (recorder: TimelineRecorder): ProcessTimeline => recorder.read() as ProcessTimeline;

describe('the timeline of a process', () => {
  it('is undefined before it begins, and forgets what was before a restart', async () => {
    expect(new TimelineRecorder().read()).toBeUndefined();
    const recorder = started();
    await sleep(30);
    block(120);
    await sleep(80);
    expect(read(recorder).events).not.toEqual([]);
    recorder.restart();
    expect(read(recorder).events.filter(({ durationUs }) => durationUs > 60_000)).toEqual([]);
  });

  it('dates a blocked event loop, and states whether it had a processor', async () => {
    const recorder = started();
    await sleep(50);
    const { fromUs, toUs, hadCore } = block(120);
    await sleep(80);
    const { events, delayUs } = read(recorder);
    // A busy machine can stop this process before and after it, too.
    const found = events.find(
      ({ startUs, durationUs }) => durationUs > 60_000 && startUs < toUs && startUs + durationUs > fromUs,
    );
    expect(found?.kind).toBe(hadCore ? 'busy' : 'waiting');
    expect(found?.startUs).toBeGreaterThan(fromUs - 50_000);
    expect(found?.startUs).toBeLessThan(fromUs + 65_000);
    const endUs = (found?.startUs ?? 0) + (found?.durationUs ?? 0);
    expect(endUs).toBeGreaterThanOrEqual(toUs);
    expect(Math.max(...(delayUs ?? []))).toBeGreaterThan(60_000);
  });

  it('splits the time into intervals whose CPU and busy times add up', async () => {
    const outer = process.cpuUsage();
    const recorder = started();
    const inner = process.cpuUsage();
    for (let i = 0; i < 4; i++) {
      block(60);
      await sleep(100);
    }
    const atLeast = process.cpuUsage(inner);
    const { startUs, endUs, cpuUs, busyUs } = read(recorder);
    const atMost = process.cpuUsage(outer);
    expect(endUs.length).toBeGreaterThanOrEqual(2);
    expect([cpuUs.length, busyUs.length]).toEqual([endUs.length, endUs.length]);
    expect([...endUs].sort((a, b) => a - b)).toEqual(endUs);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(cpuUs)).toBeGreaterThanOrEqual(atLeast.user + atLeast.system - endUs.length);
    expect(sum(cpuUs)).toBeLessThanOrEqual(atMost.user + atMost.system + endUs.length);
    // 4 × 60 ms of work.
    expect(sum(busyUs)).toBeGreaterThan(4 * 60_000 * 0.9);
    expect(sum(busyUs)).toBeLessThan((endUs.at(-1) ?? 0) - startUs + 1000);
  });

  it('calls a process that was stopped so, without CPU time or a wait for a processor', async () => {
    const source = `
      import { TimelineRecorder } from ${JSON.stringify(new URL('../../src/process/timeline-recorder.ts', import.meta.url).href)};
      const recorder = new TimelineRecorder();
      recorder.restart();
      setInterval(() => recorder.active(), 10).unref();
      process.stdout.write('ready');
      process.stdin.once('data', () => { process.stdout.write(JSON.stringify(recorder.read().events)); recorder.close(); process.stdin.destroy(); });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const next = () => new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    await next();
    await sleep(100);
    child.kill('SIGSTOP');
    await sleep(300);
    child.kill('SIGCONT');
    await sleep(100);
    child.stdin.write('read');
    const events = JSON.parse(await next()) as ProcessTimeline['events'];
    const stopped = events.filter(({ kind }) => kind === 'stopped').map(({ durationUs }) => durationUs);
    expect(Math.max(...stopped), JSON.stringify(events)).toBeGreaterThan(200_000);
  });

  it('records a wait for a processor that delays no timer, within the tick in which it lies', async () => {
    const cpu = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] as string;
    const pinned = (args: readonly string[]) => {
      const child = spawn('taskset', ['-c', cpu, process.execPath, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      stops.push(() => void child.kill('SIGKILL'));
      return child;
    };
    // The processor is shared by three, who take turns of a few milliseconds.
    for (let i = 0; i < 2; i++) pinned(['-e', 'for (;;);']);
    const source = `
      import { TimelineRecorder } from ${JSON.stringify(new URL('../../src/process/timeline-recorder.ts', import.meta.url).href)};
      const recorder = new TimelineRecorder();
      recorder.restart();
      const work = () => {
        recorder.active();
        for (const end = performance.now() + 0.2; performance.now() < end; );
        setImmediate(work);
      };
      work();
      setInterval(() => {
        const found = recorder.read().events.find(({ withinUs }) => withinUs !== undefined);
        if (found) process.stdout.write(JSON.stringify(found), () => process.exit());
      }, 200);`;
    const { stdout } = pinned(['--import', 'tsx', '--input-type=module', '-e', source]);
    const event = JSON.parse(String(await once(stdout, 'data'))) as ProcessTimeline['events'][0];
    expect(event.kind).toBe('waiting');
    expect(event.durationUs).toBeGreaterThanOrEqual(5000);
    // A tick, and less delay than that of a stall.
    expect(event.withinUs).toBeGreaterThan(45_000);
    expect(event.withinUs).toBeLessThan(55_000);
  });

  it('keeps the longest of very many events, also where they come first', () => {
    const recorder = new TimelineRecorder();
    recorders.push(recorder);
    recorder.restart();
    recorder.addPause('major-collection', performance.now() - 90, 80);
    for (let i = 0; i < 5000; i++) recorder.addPause('minor-collection', performance.now() - 3, 2);
    const { events } = read(recorder);
    expect(events).toHaveLength(1024);
    expect(events[0]).toMatchObject({ kind: 'major-collection', durationUs: 80_000 });
  });

  it('keeps collections of a millisecond or more, on the same clock', async () => {
    const recorder = started();
    const [beforeUs, nowMs, afterUs] = [hostClock.nowUs(), performance.now(), hostClock.nowUs()];
    recorder.addPause('major-collection', nowMs - 20, 12);
    recorder.addPause('minor-collection', nowMs - 20, 0.4);
    const { events } = read(recorder);
    const pauses = events.filter(({ kind }) => kind.endsWith('collection'));
    expect(pauses).toHaveLength(1);
    expect(pauses[0]).toMatchObject({ kind: 'major-collection', durationUs: 12_000 });
    // Recorded as 20 ms ago; the clock has an error of some µs.
    expect(pauses[0]?.startUs).toBeGreaterThan(beforeUs - 21_000);
    expect(pauses[0]?.startUs).toBeLessThan(afterUs - 19_000);
  });

  it('reads how long a limit on CPU time stopped it in each interval', async () => {
    let throttledUs = 5_000;
    const recorder = started({ throttledUs: () => throttledUs });
    throttledUs += 700;
    await sleep(20);
    const { throttledUs: found } = read(recorder);
    expect(found?.reduce((sum, value) => sum + value, 0)).toBe(700);
    expect(read(started()).throttledUs).toBeUndefined();
  });

  it('has no timer while there is no work, and keeps idle time apart', async () => {
    const recorder = new TimelineRecorder();
    recorders.push(recorder);
    recorder.restart();
    await sleep(300);
    const activeUs = hostClock.nowUs();
    recorder.active();
    const { fromUs, toUs } = block(100);
    await sleep(400);
    recorder.active();
    const { startUs, endUs, busyUs, events } = read(recorder);
    const [busiest] = busyUs.map((us, at) => ({ us, at })).sort((a, b) => b.us - a.us);
    // The interval of the work begins with it, and ends with the first tick without work.
    const beganUs = endUs[(busiest?.at ?? 0) - 1] ?? startUs;
    expect(beganUs).toBeGreaterThan(activeUs - 1_000);
    expect(beganUs).toBeLessThan(fromUs + 1_000);
    expect(endUs[busiest?.at ?? 0]).toBeGreaterThan(toUs);
    expect(endUs[busiest?.at ?? 0]).toBeLessThan((endUs.at(-1) ?? 0) - 100_000);
    expect(events.some(({ durationUs }) => durationUs > 45_000)).toBe(true);
  });
});
