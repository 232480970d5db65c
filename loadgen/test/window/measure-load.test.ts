/** The order of readings, resets and records of the load window, on a driver that only reports its phases. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import { summarise } from '@topo-bench/stats';
import type { LoadEvent } from '@topo-bench/trial';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasProc } from '../../../packages/host/test/fixtures/processes.ts';
import { type LoadedSystem, type LoadWindow, measureLoad, type SystemUse } from '../../src/window/measure-load.ts';
import type { ProcessUse } from '../../src/window/process-use.ts';
import { type Script, scriptedDriver } from '../fixtures/scripted-driver.ts';
import { jobFor } from '../fixtures/server.ts';

const job = jobFor('http://127.0.0.1:1/');

function system(name: string, events: string[]): LoadedSystem<string> {
  return {
    async usage() {
      events.push(`usage ${name}`);
      return { service: { processes: 1, cpuUs: 1000 * events.length, rssBytes: 1 } };
    },
    reset: async () => void events.push(`reset ${name}`),
    async stats() {
      events.push(`stats ${name}`);
      return `counters of ${name}`;
    },
  };
}

/** A load whose phases, and the calls to what is under load, are in `events`. */
function recorded(changes: Partial<LoadWindow<string>> = {}) {
  const events: string[] = [];
  const say = (text: string) => async (): Promise<void> => {
    events.push(text);
    // All that the window does without waiting is done by then.
    await nextTurn();
  };
  const driver = scriptedDriver({
    prepared: () => void events.push('prepared'),
    started: say('under load'),
    ended: say('drained'),
    collecting: say('results arrive'),
  });
  const window: LoadWindow<string> = { driver, job, systems: [system('a', events)], warmsUp: true, ...changes };
  return { events, window };
}

/** Uses a core. */
function burn(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs; );
}

describe('a load window', () => {
  it('reads usage around the idle time and the load, resets in between, and reads counters first of all', async () => {
    const { events, window } = recorded({ warmsUp: false });
    const { systems } = await measureLoad(window);
    expect(events).toEqual([
      'prepared',
      'usage a',
      'usage a',
      'reset a',
      'usage a',
      'under load',
      'drained',
      'usage a',
      'results arrive',
      'stats a',
    ]);
    const [{ processes, stats }] = systems as [SystemUse<string>];
    expect(stats).toBe('counters of a');
    // The reading after the reset was taken as fifth event, that after the drain as eighth.
    const { cpuUs, idleCpuUs = Number.NaN, windowUs } = processes.service as ProcessUse;
    expect(cpuUs).toBe(3000);
    // 1000 µs between the second event and the third, in the idle window, which lasts a second or more.
    expect(idleCpuUs / windowUs).toBeGreaterThan(0);
    expect(idleCpuUs / windowUs).toBeLessThanOrEqual(1000 / 1e6);
  });

  it('resets all systems before the load, and has no idle time where the generators warm them up', async () => {
    const { events, window } = recorded();
    const measured = await measureLoad({ ...window, systems: [system('a', events), system('b', events)] });
    const [start, drained] = [events.indexOf('under load'), events.indexOf('drained')];
    expect(events.slice(0, start).sort()).toEqual(['prepared', 'reset a', 'reset b', 'usage a', 'usage b']);
    for (const name of ['a', 'b'])
      expect(events.indexOf(`usage ${name}`)).toBeGreaterThan(events.indexOf(`reset ${name}`));
    expect(events.slice(drained)).toEqual(['drained', 'usage a', 'usage b', 'results arrive', 'stats a', 'stats b']);
    expect(measured.systems.map(({ stats }) => stats)).toEqual(['counters of a', 'counters of b']);
    for (const { processes } of measured.systems) expect(processes.service).not.toHaveProperty('idleCpuUs');
  });

  it('divides counters by the time from the end of the reset until they are read', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const pass = (ms: number) => async (): Promise<void> => void vi.advanceTimersByTime(ms);
    const driver = scriptedDriver({ started: pass(2000), ended: pass(40), collecting: pass(300) });
    const idle: LoadedSystem<void> = { usage: async () => ({}), reset: pass(7000), stats: pass(5) };
    const { systems } = await measureLoad({ driver, job, systems: [idle], warmsUp: true });
    expect(systems[0]?.windowUs).toBeCloseTo(2_345_000);
  });

  it.for([
    [false, ['load', 'drain', 'collect']],
    [true, ['warm-up', 'load', 'drain', 'collect']],
  ] as const)('reports its phases; generators warm the system up: %s', async ([warmsUp, expected]) => {
    const phases: string[] = [];
    const { window } = recorded({ warmsUp, systems: [], onPhase: (phase) => phases.push(phase) });
    await measureLoad(window);
    expect(phases).toEqual(expected);
  });

  it('ends its watch of the host when the load or a system fails', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const failure = new Error('generator died');
    let watching = 0;
    const started = (): void => {
      watching = vi.getTimerCount();
    };
    const fail = (): never => {
      throw failure;
    };
    const window = { job, warmsUp: true, groups: async () => ({}) };
    const scripts: Script[] = [{ started: fail }, { started, ended: fail }, { collecting: fail }];
    for (const script of scripts) {
      await expect(measureLoad({ ...window, driver: scriptedDriver(script) })).rejects.toBe(failure);
      expect(vi.getTimerCount()).toBe(0);
    }
    expect(watching).toBeGreaterThan(0);
    const broken = { ...system('a', []), stats: () => Promise.reject(failure) };
    await expect(measureLoad({ ...window, driver: scriptedDriver(), systems: [broken] })).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.skipIf(!hasProc)('counts generators in containers of this host as ours', async () => {
    const seconds = 1e9;
    const use = { windowUs: 1, cpuUs: 2 * seconds, eventLoopUtilization: 0, rssBytes: 1 };
    const record = { ...use, name: 'pod', host: 'node-1', sent: 0, schedulerLag: summarise([]), startLateUs: 0 };
    const foreignOf = async (result: Script['result']): Promise<number | undefined> => {
      const driver = scriptedDriver({ started: () => burn(60), ...(result && { result }) });
      // Own processes that seem to give time back make all other time of programs foreign.
      const readings = [seconds, 0];
      const { host } = await measureLoad({ driver, job, detachedCpuUs: async () => readings.shift() ?? 0 });
      return host?.foreignPercent;
    };
    expect(await foreignOf(undefined)).toBeGreaterThan(0);
    expect(await foreignOf({ generatorRecords: [record] })).toBe(0);
  });
});

describe('events of a load window', () => {
  const event = (atUs: number, apply: LoadEvent['apply'] = async () => undefined): LoadEvent => {
    return { atUs, name: `event ${atUs}`, apply };
  };

  it('are refused before anything is prepared when one is outside of the load', async () => {
    for (const atUs of [-1, Number.NaN, job.durationUs, job.durationUs + 1]) {
      const { events, window } = recorded({ events: [event(0), event(atUs)] });
      const failure = await measureLoad(window).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TopoBenchError);
      expect(failure).toMatchObject({ code: 'TB_LOAD_OUT_OF_RANGE' });
      expect((failure as Error).message).toContain(`"event ${atUs}"`);
      expect((failure as Error).message).not.toContain('"event 0"');
      expect(events).toEqual([]);
    }
  });

  it('are not applied in the drain of a load that ended early', async () => {
    const { window } = recorded({ events: [event(50_000)] });
    // No timer fires between the start and the end of this load.
    const driver = scriptedDriver({ ended: () => sleep(70) });
    const { events } = await measureLoad({ ...window, driver });
    expect(events).toEqual([{ atUs: 50_000, name: 'event 50000', outcome: 'skipped' }]);
  });

  it('have no effect any more once results are collected', async () => {
    let finish = (): void => undefined;
    const ongoing = (): Promise<void> =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const { window } = recorded({ events: [event(0, ongoing)] });
    const collecting = async (): Promise<void> => {
      finish();
      await nextTurn();
    };
    const { events } = await measureLoad({
      ...window,
      driver: scriptedDriver({ started: () => nextTurn(), collecting }),
    });
    expect(events.map(({ outcome }) => outcome)).toEqual(['unfinished']);
  });

  it('come back with the window, and neither a failure nor an endless one delays the drain', async () => {
    let aborted = false;
    const endless: LoadEvent['apply'] = (signal) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          aborted = true;
        }),
      );
    const fail = async (): Promise<void> => {
      throw new Error('no such role');
    };
    const later = job.durationUs - 1;
    const { window } = recorded({ events: [event(later), event(0, fail), event(0, endless)] });
    const { events } = await measureLoad({ ...window, driver: scriptedDriver({ started: () => nextTurn() }) });
    expect(events).toEqual([
      { atUs: later, name: `event ${later}`, outcome: 'skipped' },
      {
        ...{ atUs: 0, name: 'event 0', outcome: 'failed', error: new Error('no such role') },
        ...{ requestedUs: expect.any(Number), failedUs: expect.any(Number) },
      },
      { atUs: 0, name: 'event 0', outcome: 'unfinished', requestedUs: expect.any(Number) },
    ]);
    expect(aborted).toBe(true);
  });
});
