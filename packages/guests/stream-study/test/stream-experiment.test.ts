import { readFileSync } from 'node:fs';
import { checkExperiment, resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { estimateOf } from '../../../measured/test/fixtures/estimates.ts';
import type { StreamTrial } from '../src/parts.ts';

const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\n';
const inputs = (lines: string) => ({ experiment: { file: 'e.yaml', text: `${head}${lines}` }, choices: {} });
const problemsOf = (lines: string) =>
  checkExperiment(inputs(lines), studies).problems.map(({ code, message }) => `${code}: ${message}`);

describe('an experiment with a stream job', () => {
  it('needs no topology and deploys no roles', () => {
    const [cell] = resolveExperiment(inputs('stream: {}\n'), studies).cells;
    expect(cell?.study.kind).toBe('stream');
    expect(cell?.plan.roles).toEqual([]);
    expect(cell?.levels).toEqual({ database: 'postgresql', windows: 'none', points: 100_000 });
  });

  it('varies databases, windows and points by their short names', () => {
    const lines = 'stream: {}\nfactors: { database: [redis], windows: [none, 500ms], points: [1000, 2000] }\n';
    const { cells } = resolveExperiment(inputs(lines), studies);
    expect(cells.map(({ levels }) => `${levels.database} ${levels.windows} ${levels.points}`)).toEqual([
      'redis none 1000',
      'redis none 2000',
      'redis 500 ms 1000',
      'redis 500 ms 2000',
    ]);
    expect(cells.map(({ settings: { stream } }: StreamTrial) => stream?.windows)[2]).toBe(500_000);
  });

  it('varies jobs, each with its own size, and refuses a kill that comes too late', () => {
    const lines = 'stream: { entries: 2000, queries: 300 }\nfactors: { job: [generate, copy, random-queries] }\n';
    expect(resolveExperiment(inputs(lines), studies).cells.map(({ levels }) => levels)).toEqual([
      { job: 'generate', database: 'postgresql', windows: 'none', points: 100_000 },
      { job: 'copy', database: 'postgresql', windows: 'none', entries: 2000 },
      { job: 'random-queries', database: 'postgresql', windows: 'none', entries: 2000, queries: 300 },
    ]);
    expect(problemsOf('stream: { killAfter: 8s }\n').join()).toContain('ends soon after `killAfter`');
    expect(problemsOf('stream: { job: copy, entries: 20000000 }\n').join()).toContain('expected 16777215 or fewer');
  });

  it('refuses a grid with a user and a password, which would be stored with the run, without repeating them', () => {
    const [problem, ...others] = problemsOf('stream: { gridUrl: "hazelcast://me:secret@127.0.0.1:1" }\n');
    expect(problem).toContain('TB_EXPERIMENT_STREAM: ');
    expect(problem).not.toContain('secret');
    expect(others).toEqual([]);
    expect(problemsOf('stream: { gridUrl: "hazelcast://127.0.0.1:5701/dev" }\n')).toEqual([]);
  });

  it('refuses a kill behind a grid: the killed job would have none', () => {
    const lines = 'stream: { killAfter: 1s }\nfactors: { grid: [none, hazelcast] }\n';
    expect(problemsOf(lines)).toEqual([
      expect.stringContaining('TB_EXPERIMENT_STREAM: `killAfter` does not go together with `grid'),
    ]);
    expect(problemsOf('stream: { killAfter: 1s, grid: none }\n')).toEqual([]);
    expect(problemsOf('stream: { killAfter: 1s, grid: hazelcast, job: random-queries }\n')).toEqual([]);
  });

  it('refuses the settings of other kinds of study, and a deployment that is kept', () => {
    expect(problemsOf('stream: {}\naccess: {}\n').join()).toContain('`stream` does not go together with `access`');
    expect(problemsOf('stream: {}\npersistence: {}\n').join()).toContain(
      'TB_EXPERIMENT_STREAM: persistence: `persistence` does not go together with `stream`',
    );
    expect(problemsOf('stream: {}\ndeploy: round\n').join()).toContain('TB_EXPERIMENT_STREAM');
    expect(problemsOf('stream: {}\nkeepRequests: true\n').join()).toContain('TB_EXPERIMENT_KEEP_REQUESTS');
  });

  it('refuses windows without a unit or below 1 ms, and points beyond the published study', () => {
    expect(problemsOf('stream: { windows: 10us }\n').join()).toContain('expected 1ms or more');
    expect(problemsOf('stream: { windows: some }\n')).not.toEqual([]);
    expect(problemsOf('stream: { points: 22000000 }\n')).not.toEqual([]);
  });

  it('estimates a run from points, trials and the database', async () => {
    const seconds = async (lines: string): Promise<number> =>
      (await estimateOf(resolveExperiment(inputs(`stream: { ${lines} }\n`), studies))).seconds;
    expect(await seconds('points: 1000000')).toBeGreaterThan((await seconds('points: 100000')) + 5);
    expect(await seconds('trials: 8')).toBeGreaterThan((await seconds('trials: 4')) + 5);
  });

  it.each([
    ['stream-small', 150],
    ['stream-pattern', 60],
    ['stream-engines', 600],
    ['stream-study', 3 * 3600],
  ])('%s is valid, and its estimate is below %i s', async (name, seconds) => {
    const file = new URL(`../../../../experiments/${name}.yaml`, import.meta.url);
    const text = readFileSync(file, 'utf8');
    const { problems, resolved } = checkExperiment(
      { experiment: { file: `${name}.yaml`, text }, choices: {} },
      studies,
    );
    expect(problems).toEqual([]);
    expect(resolved && (await estimateOf(resolved)).seconds).toBeLessThan(seconds);
  });
});
