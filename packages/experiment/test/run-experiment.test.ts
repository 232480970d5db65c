import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cellKey, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results';
import { studies } from '@topo-bench/studies';
import type { RunEvent } from '@topo-bench/trial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveExperiment } from '../src/resolve-experiment.ts';
import { runExperiment } from '../src/run-experiment.ts';
import { inputsOf } from '../src/run-record.ts';
import { type FakeOptions, fakeBackend } from './fixtures/fake-backend.ts';
import { laggingEntry } from './fixtures/lagging-entry.ts';

const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 2 }]\n';

function experiment(fields: string) {
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

const sixCells = 'factors: { architecture: [none, central-entity, sidecar], rate: [1, 2] }\nrepetitions: 2\n';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-run-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(fields: string, options: FakeOptions & { resume?: boolean; controller?: AbortController } = {}) {
  const pretend = fakeBackend(options);
  const events: RunEvent[] = [];
  const work = runExperiment(experiment(fields), {
    folder,
    resume: options.resume ?? false,
    version: '0.0.0',
    command: ['run', 'test.yaml'],
    backend: pretend.backend,
    onEvent: (event) => events.push(event),
    signal: (options.controller ?? new AbortController()).signal,
  });
  const outcome = await work.then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error: error as TopoBenchError }),
  );
  return { ...outcome, ...pretend, events };
}

const measured = (log: readonly string[]) => log.filter((line) => line.startsWith('measure'));

describe('a run', () => {
  it('measures every repetition of every cell, round by round', async () => {
    const { log, openBeds } = await run(sixCells);
    expect(new Set(measured(log)).size).toBe(12);
    expect(measured(log).map((line) => line.slice(-1))).toEqual([...'111111222222']);
    expect(openBeds()).toBe(0);
    const { record, cells } = await openRun(folder);
    expect(record.status).toBe('finished');
    expect(cells).toHaveLength(12);
  });

  it('reports and records once what its runner does not apply', async () => {
    const message = '`limits` of svc-1 are not applied';
    const { events } = await run(sixCells, { notices: [message] });
    expect(events.filter(({ kind }) => kind === 'notice')).toEqual([{ kind: 'notice', message }]);
    expect((await openRun(folder)).record.notices).toEqual([message]);
  });

  it('deploys for every repetition with `deploy: fresh`, else once per round and deployment', async () => {
    const fresh = await run(`${sixCells}deploy: fresh\n`);
    expect(fresh.log.filter((line) => line.startsWith('deploy'))).toHaveLength(12);
    await rm(folder, { recursive: true });
    const round = await run(`${sixCells}deploy: round\n`);
    expect(round.log.filter((line) => line.startsWith('deploy'))).toHaveLength(6);
  });

  it('deploys again if a deployment does not recover after a measurement', async () => {
    const { log } = await run(`${sixCells}deploy: round\n`, { spoils: true });
    expect(log.filter((line) => line.startsWith('deploy'))).toHaveLength(12);
  });

  it.each([
    ['failed', new TopoBenchError('TB_ENGINE_NO_IMAGE', 'aborted')],
    ['passed', undefined],
  ])('writes and starts nothing when interrupted during a check that then %s', async (_, failure) => {
    const controller = new AbortController();
    const onCheck = () => {
      controller.abort();
      if (failure) throw failure;
    };
    const { error, log } = await run(sixCells, { onCheck, controller });
    expect(error).toMatchObject({ code: 'TB_INTERRUPTED', exitCode: 130 });
    expect(log).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps finished repetitions when interrupted, tears down, and hints at how to resume', async () => {
    const controller = new AbortController();
    let count = 0;
    const onMeasure = () => {
      if (++count === 4) controller.abort();
    };
    const { error, openBeds } = await run(sixCells, { onMeasure, controller });
    expect(error).toMatchObject({
      code: 'TB_INTERRUPTED',
      exitCode: 130,
      hint: expect.stringContaining(`--resume ${folder}`),
    });
    expect(openBeds()).toBe(0);
    const { record, cells } = await openRun(folder);
    expect(record.status).toBe('interrupted');
    expect(cells).toHaveLength(3);
  });

  it('does not hint at --resume when a simulation was interrupted: it is repeated instead', async () => {
    const controller = new AbortController();
    const onMeasure = () => controller.abort();
    const { error } = await run(sixCells, { onMeasure, controller, source: 'simulated' });
    expect(error).toMatchObject({ code: 'TB_INTERRUPTED', hint: undefined });
  });

  it('resumes where it stopped, with the same result set', async () => {
    const whole = await run(sixCells);
    await rm(folder, { recursive: true });
    const controller = new AbortController();
    let count = 0;
    const onMeasure = () => {
      if (++count === 6) controller.abort();
    };
    const first = await run(sixCells, { onMeasure, controller });
    const second = await run(sixCells, { resume: true });
    expect([...measured(first.log), ...measured(second.log)]).toEqual(measured(whole.log));
    expect((await openRun(folder)).record.status).toBe('finished');
  });

  it('can be resumed from its folder alone', async () => {
    await run(sixCells);
    const { record } = await openRun(folder);
    const again = resolveExperiment(inputsOf(record), studies);
    expect(again.cells.map(({ levels }) => levels)).toEqual(record.plannedCells);
  });

  it('continues after a failed deployment: that repetition is invalid with the reason', async () => {
    let count = 0;
    const onDeploy = () => {
      if (++count === 3) throw new TopoBenchError('TB_ROLE_NOT_READY', 'svc-1 would not start');
    };
    const { result, events } = await run(sixCells, { onDeploy });
    expect(result?.cells).toHaveLength(12);
    expect(result?.cells.filter(({ validity }) => !validity.valid).map(({ validity }) => validity.reasons)).toEqual([
      ['not measured: svc-1 would not start (TB_ROLE_NOT_READY)'],
    ]);
    expect(events).toContainEqual({ kind: 'warning', message: 'TB_ROLE_NOT_READY: svc-1 would not start' });
  });

  it('marks repetitions of a simulator as simulated, including failed ones', async () => {
    let count = 0;
    const onDeploy = () => {
      if (++count === 3) throw new TopoBenchError('TB_ROLE_NOT_READY', 'no calibration');
    };
    const { result } = await run(sixCells, { onDeploy, source: 'simulated' });
    expect(result?.cells.filter(({ validity }) => !validity.valid)).toHaveLength(1);
    expect(new Set(result?.cells.map(({ source }) => source))).toEqual(new Set(['simulated']));
  });

  it('deploys again after a measurement that failed', async () => {
    let count = 0;
    const onMeasure = () => {
      if (++count === 1) throw new TopoBenchError('TB_ROLE_DIED', 'svc-1 ended');
    };
    const { log, result, openBeds } = await run(`${sixCells}deploy: round\n`, { onMeasure });
    expect(result?.cells).toHaveLength(12);
    expect(log.filter((line) => line.startsWith('deploy'))).toHaveLength(7);
    expect(openBeds()).toBe(0);
  });

  it('ends at once if the first deployment fails', async () => {
    const onDeploy = () => {
      throw new TopoBenchError('TB_INTERNAL', 'no such binary');
    };
    const { error } = await run(sixCells, { onDeploy });
    expect(error?.message).toBe('no such binary');
    const { record, cells } = await openRun(folder);
    expect([record.status, record.failure, cells.length]).toEqual(['failed', 'no such binary', 0]);
  });

  it('records an internal error as failed and removes its lock', async () => {
    const onMeasure = () => {
      throw new TypeError('oops');
    };
    const { error } = await run(sixCells, { onMeasure });
    expect(error).toBeInstanceOf(TypeError);
    expect(await readdir(folder)).not.toContain('run.lock');
  });

  it('reports its progress, with the remaining time', async () => {
    const { events } = await run('repetitions: 3\n');
    const done = events.filter((event) => event.kind === 'repetition');
    expect(done.map(({ finished, repetitions }) => `${finished}/${repetitions}`)).toEqual(['1/3', '2/3', '3/3']);
    expect(done.at(-1)?.remainingSeconds).toBe(0);
    expect(events[0]).toMatchObject({ kind: 'started', runDir: folder });
  });

  it('stores its source texts', async () => {
    await run('');
    const { inputs } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    expect(inputs.topology.text).toBe(topology);
  });
});

describe('a repetition whose requests left late', () => {
  /** Late in the first so many measurements of each repetition of the sidecar. */
  const lateSidecar = (times: number) => {
    const seen = new Map<string, number>();
    return ({ levels }: { levels: Record<string, unknown> }, repetition: number): boolean => {
      const key = JSON.stringify([levels, repetition]);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return levels.architecture === 'sidecar' && (seen.get(key) as number) <= times;
    };
  };
  const threeCells = 'factors: { architecture: [none, central-entity, sidecar] }\nrepetitions: 4\n';

  it('is measured again at the end of its round on a new deployment, and the earlier measurement stays listed', async () => {
    const { log, result, events } = await run(`${threeCells}deploy: round\n`, { isLate: lateSidecar(1) });
    const rounds = [1, 2, 3].map((round) => measured(log).filter((line) => line.endsWith(`#${round}`)));
    for (const [at, round] of rounds.entries()) expect(round.at(-1)).toBe(`measure sidecar 100 #${at + 1}`);
    expect(rounds.map(({ length }) => length)).toEqual([4, 4, 4]);
    expect(log.filter((line) => line.startsWith('deploy'))).toHaveLength(measured(log).length);
    const { cells } = await openRun(folder);
    expect(cells).toEqual(result?.cells);
    expect(cells).toHaveLength(12);
    const sidecar = cells
      .filter(({ factors }) => factors.architecture === 'sidecar')
      .sort((a, b) => a.repetition - b.repetition);
    // 20% of twelve are three; the fourth is left as it is.
    expect(
      sidecar.map(({ validity, discarded = [] }) => [validity.valid, discarded.map((one) => one.validity.reasons)]),
    ).toEqual([...[1, 2, 3].map(() => [true, [['late']]]), [false, []]]);
    const told = events.flatMap((event) =>
      event.kind === 'repetition' ? [`${event.finished}${event.remeasure ? ' again' : ''}`] : [],
    );
    expect(told.filter((line) => line.endsWith('again'))).toHaveLength(3);
    expect(told.at(-1)).toBe('12');
    expect(new Set(told.filter((line) => !line.endsWith('again'))).size).toBe(12);
  });

  it('is measured again when other programs had the processors, and counts if they do each time', async () => {
    const fields = 'factors: { architecture: [none, sidecar] }\nrepetitions: 1\nvalidity: { remeasure: 100% }\n';
    const isForeign = ({ levels }: { levels: Record<string, unknown> }) => levels.architecture === 'sidecar';
    const { log, result } = await run(fields, { isForeign });
    expect(measured(log).filter((line) => line.includes('sidecar'))).toHaveLength(3);
    expect(result?.cells.find(({ factors }) => factors.architecture === 'sidecar')).toMatchObject({
      validity: { valid: true, flags: ['foreign-load'] },
      discarded: [{ validity: { flags: ['foreign-load'] } }, {}],
    });
  });

  it('is measured three times at most, and then stays invalid', async () => {
    const fields = 'factors: { architecture: [none, sidecar] }\nrepetitions: 2\nvalidity: { remeasure: 100% }\n';
    const { log, result } = await run(fields, { isLate: lateSidecar(9) });
    expect(measured(log).filter((line) => line.includes('sidecar'))).toHaveLength(6);
    const sidecar = result?.cells.filter(({ factors }) => factors.architecture === 'sidecar');
    expect(sidecar).toMatchObject([1, 2].map(() => ({ validity: { valid: false }, discarded: [{}, {}] })));
  });

  it('has its part in the remaining time', async () => {
    const { events } = await run('factors: { architecture: [sidecar] }\nrepetitions: 1\n', { isLate: lateSidecar(1) });
    const left = events.flatMap((event) => (event.kind === 'repetition' ? [event.remainingSeconds] : []));
    expect(left).toEqual([expect.any(Number), 0]);
    expect(left[0]).toBeGreaterThan(0);
  });

  it('is not measured again if the experiment forbids it, or when something else was wrong', async () => {
    const none = await run(`${threeCells}validity: { remeasure: 0% }\n`, { isLate: lateSidecar(1) });
    expect(measured(none.log)).toHaveLength(12);
    await rm(folder, { recursive: true });
    let count = 0;
    const onMeasure = () => {
      if (++count === 3) throw new TopoBenchError('TB_ROLE_DIED', 'svc-1 ended');
    };
    const { log, result } = await run(threeCells, { onMeasure });
    expect(measured(log)).toHaveLength(11);
    expect(result?.cells.filter(({ validity }) => !validity.valid)).toHaveLength(1);
  });

  it('is kept when the run is interrupted before it is measured again, which a resumed run does', async () => {
    const controller = new AbortController();
    let count = 0;
    const onMeasure = () => {
      if (++count === 4) controller.abort();
    };
    const isLate = lateSidecar(1);
    await run(threeCells, { isLate, onMeasure, controller });
    const before = await openRun(folder);
    expect(before.cells.filter(({ validity }) => validity.onlyLate)).toHaveLength(1);
    const { log, result, events } = await run(threeCells, { isLate, resume: true });
    expect(measured(log)[0]).toBe('measure sidecar 100 #1');
    expect(events[0]).toMatchObject({ kind: 'started', finished: 2, repetitions: 12 });
    expect(result?.cells).toHaveLength(12);
    expect(result?.cells.filter(({ discarded }) => discarded)).toHaveLength(3);
  });

  it('has a failed second try in its place, with the reason of both', async () => {
    let count = 0;
    const onMeasure = () => {
      if (++count === 3) throw new TopoBenchError('TB_ROLE_DIED', 'svc-1 ended');
    };
    const fields = 'factors: { architecture: [none, sidecar] }\nrepetitions: 1\n';
    const { result } = await run(fields, { isLate: lateSidecar(1), onMeasure });
    expect(result?.cells.find(({ factors }) => factors.architecture === 'sidecar')).toMatchObject({
      validity: { valid: false, reasons: [expect.stringContaining('svc-1 ended')] },
      discarded: [{ validity: { reasons: ['late'] } }],
    });
  });
});

describe('the limit of the lag', () => {
  const twoCells = 'factors: { architecture: [none, sidecar] }\nrepetitions: 2\nvalidity: { remeasure: 100% }\n';
  const late = { p99Us: 3000, meanUs: 500 };
  /** The first measurement has the same lag for both, others hardly any; `none` is fast. */
  const sameLag = (lateTimes = 1) => {
    const times = new Map<string, number>();
    return ({ levels }: { levels: Record<string, unknown> }, repetition: number) => {
      const key = `${levels.architecture} ${repetition}`;
      times.set(key, (times.get(key) ?? 0) + 1);
      const medianUs = levels.architecture === 'none' ? 20_000 : 50_000;
      return { medianUs, ...((times.get(key) as number) <= lateTimes && repetition === 1 ? late : {}) };
    };
  };
  const order = (cells: readonly Cell[]) =>
    [...cells].sort((a, b) => (cellKey(a.factors) < cellKey(b.factors) ? -1 : 1));
  const first = (cells: readonly Cell[] = []) => order(cells.filter(({ repetition }) => repetition === 1));

  it.each(['fresh', 'round', 'interleaved'])(
    'is one for a fast and a slow cell of a round: deploy %s',
    async (deploy) => {
      const { result, events } = await run(`${twoCells}deploy: ${deploy}\n`, { laggingOf: sameLag() });
      const cells = first(result?.cells);
      expect(cells.map(({ factors }) => factors.architecture)).toEqual(['none', 'sidecar']);
      expect(cells.map(({ discarded }) => discarded?.map(({ validity }) => validity.reasons.length))).toEqual([
        [1],
        [1],
      ]);
      expect(cells.map(({ validity }) => [validity.valid, validity.lagLimit?.p99Us])).toEqual([
        [true, 2000],
        [true, 2000],
      ]);
      expect((await openRun(folder)).cells).toEqual(result?.cells);
      const told = events.flatMap((event) => (event.kind === 'repetition' ? [event] : []));
      expect(told.filter(({ remeasure }) => remeasure).map(({ entry }) => entry.factors.architecture)).toHaveLength(2);
      expect(told.at(-1)).toMatchObject({ finished: 4, remainingSeconds: 0 });
    },
  );

  it('is the same for all when a repetition is always late and no remeasurement is left', async () => {
    const { log, result } = await run(`${twoCells}deploy: round\n`, { laggingOf: sameLag(9) });
    expect(measured(log).filter((line) => line.endsWith('#1'))).toHaveLength(6);
    expect(first(result?.cells).map(({ validity }) => [validity.valid, validity.lagLimit?.p99Us])).toEqual([
      [false, 2000],
      [false, 2000],
    ]);
  });

  it('applies to a round whose run was interrupted before its verdicts', async () => {
    const controller = new AbortController();
    let count = 0;
    const onMeasure = () => {
      if (++count === 3) controller.abort();
    };
    const fields = `${twoCells.replace('100%', '0%')}deploy: round\n`;
    await run(fields, { laggingOf: sameLag(), onMeasure, controller });
    const judged = (await openRun(folder)).cells;
    expect(first(judged).map(({ validity }) => validity.valid)).toEqual([false, false]);
    // As a crash leaves it that comes after the last measurement of the round: each judged by its own median.
    const own = judged.map((cell) => ({
      ...cell,
      validity: laggingEntry(cell.factors, { medianUs: cell.rtt.medianUs, ...late }).validity,
    }));
    expect(first(own).map(({ validity }) => validity.valid)).toEqual([false, true]);
    await writeFile(join(folder, 'cells.json'), JSON.stringify(own));
    expect((await openRun(folder)).cells).toHaveLength(2);

    const { log, result, events } = await run(fields, { laggingOf: sameLag(), resume: true });
    expect(measured(log)).toHaveLength(2);
    expect(first(result?.cells)).toEqual(first(judged));
    const told = events.flatMap((event) => (event.kind === 'repetition' ? [event] : []));
    expect(told[0]).toMatchObject({
      entry: { factors: { architecture: 'sidecar' }, validity: { valid: false } },
      remeasure: false,
    });
  });
});

describe('a run whose levels take turns', () => {
  const interleaved = `${sixCells}deploy: interleaved\n`;
  const together = 'central-entity/2+none/2+sidecar/2';

  it('deploys all levels together once per round and measures those of one load at once', async () => {
    const { log, result, openBeds } = await run(interleaved);
    expect(log.filter((line) => line.startsWith('deploy'))).toEqual([`deploy ${together}`, `deploy ${together}`]);
    expect(measured(log).sort()).toEqual(['1 #1', '1 #2', '2 #1', '2 #2'].map((load) => `measure ${together} ${load}`));
    expect(result?.cells).toHaveLength(12);
    expect(openBeds()).toBe(0);
  });

  it('remeasures all levels if one was late, and keeps the superseded measurements', async () => {
    let lateOnes = 0;
    const isLate = ({ levels }: { levels: Record<string, unknown> }, repetition: number): boolean =>
      levels.architecture === 'sidecar' && levels.rate === 2 && repetition === 1 && lateOnes++ === 0;
    const { log, result, events } = await run(interleaved, { isLate });
    expect(measured(log).filter((line) => line === `measure ${together} 2 #1`)).toHaveLength(2);
    expect(measured(log)).toHaveLength(5);
    const again = result?.cells.filter(({ discarded }) => discarded !== undefined) ?? [];
    expect(
      again.map(({ factors, repetition }) => `${factors.architecture} ${factors.rate} #${repetition}`).sort(),
    ).toEqual(['central-entity 2 #1', 'none 2 #1', 'sidecar 2 #1']);
    expect(again.every(({ validity }) => validity.valid)).toBe(true);
    expect(again.filter(({ discarded }) => discarded?.[0]?.validity.valid)).toHaveLength(2);
    const told = events.filter((event) => event.kind === 'repetition');
    expect(told).toHaveLength(15);
    expect(
      told
        .filter((event) => event.remeasure)
        .map(({ entry }) => entry.factors.architecture)
        .sort(),
    ).toEqual(['central-entity', 'none', 'sidecar']);
    // What is to be measured again is not finished: the count only grows.
    const counts = told.map(({ finished }) => finished);
    expect(counts.at(-1)).toBe(12);
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
  });

  it('keeps a round in which one level had a fault and others were disturbed', async () => {
    const inRound = ({ levels }: { levels: Record<string, unknown> }, repetition: number): boolean =>
      levels.rate === 2 && repetition === 1;
    const { log, result } = await run(interleaved, {
      isBroken: (cell, repetition) => inRound(cell, repetition) && cell.levels.architecture === 'none',
      isLate: (cell, repetition) => inRound(cell, repetition) && cell.levels.architecture === 'sidecar',
      isForeign: (cell, repetition) => inRound(cell, repetition) && cell.levels.architecture === 'central-entity',
    });
    expect(measured(log)).toHaveLength(4);
    const invalid = result?.cells.filter(({ validity }) => !validity.valid) ?? [];
    expect(invalid.map(({ validity }) => validity.reasons[0]).sort()).toEqual([
      'died during the repetition: pricing',
      'late',
    ]);
    expect(result?.cells.every(({ discarded }) => discarded === undefined)).toBe(true);
  });

  it('on resumption measures all levels of a load that a crash left partly stored', async () => {
    await run(interleaved);
    const cells = JSON.parse(await readFile(join(folder, 'cells.json'), 'utf8')) as {
      factors: Record<string, unknown>;
      repetition: number;
    }[];
    const lost = cells.findIndex(
      ({ factors, repetition }) => factors.architecture === 'none' && factors.rate === 1 && repetition === 2,
    );
    expect(lost).toBeGreaterThanOrEqual(0);
    await writeFile(join(folder, 'cells.json'), JSON.stringify(cells.toSpliced(lost, 1)));
    const { log, result } = await run(interleaved, { resume: true });
    expect(log).toEqual([`deploy ${together}`, `measure ${together} 1 #2`]);
    expect(result?.cells).toHaveLength(12);
  });

  it('keeps whole loads when interrupted, and continues with the next one', async () => {
    const controller = new AbortController();
    let count = 0;
    const onMeasure = () => {
      if (++count === 7) controller.abort();
    };
    const first = await run(interleaved, { onMeasure, controller });
    expect(first.error).toMatchObject({ code: 'TB_INTERRUPTED' });
    expect(first.openBeds()).toBe(0);
    expect((await openRun(folder)).cells).toHaveLength(6);
    const second = await run(interleaved, { resume: true });
    expect(measured(second.log).map((line) => line.slice(-1))).toEqual(['2', '2']);
    expect(second.result?.cells).toHaveLength(12);
  });

  it('makes every level of a load invalid if their deployment fails, and continues', async () => {
    let deployed = 0;
    const onDeploy = () => {
      if (++deployed === 9) throw new TopoBenchError('TB_ROLE_NOT_READY', 'svc-1 would not start');
    };
    const { result, openBeds } = await run(interleaved, { onDeploy });
    const invalid = result?.cells.filter(({ validity }) => !validity.valid) ?? [];
    expect(invalid).toHaveLength(3);
    expect(new Set(invalid.map(({ factors, repetition }) => `${factors.rate} ${repetition}`)).size).toBe(1);
    expect(result?.cells).toHaveLength(12);
    expect(openBeds()).toBe(0);
  });
});
