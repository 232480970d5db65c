import { readFileSync } from 'node:fs';
import { checkExperiment, resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { estimateOf } from '../../../measured/test/fixtures/estimates.ts';

const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\n';
const inputs = (lines: string, topology?: string) => ({
  experiment: { file: 'e.yaml', text: `${head}${lines}` },
  ...(topology !== undefined && { topology: { file: 't.yaml', text: topology } }),
  choices: {},
});
const problemsOf = (lines: string) =>
  checkExperiment(inputs(lines), studies).problems.map(({ code, line, message }) => `${line} ${code}: ${message}`);
const cellsOf = (lines: string) => resolveExperiment(inputs(lines), studies).cells;

describe('an experiment that reads a table', () => {
  it('needs no topology and deploys no roles', () => {
    const [cell] = cellsOf('access: {}\n');
    expect(cell?.study.kind).toBe('access');
    expect(cell?.plan.roles).toEqual([]);
    expect(cell?.levels).toEqual({ source: 'postgresql', volume: 100_000, query: 'all', variant: 'native' });
  });

  it('is the only one without a topology', () => {
    expect(problemsOf('repetitions: 2\n')).toEqual([expect.stringMatching(/TB_SCHEMA_MISSING_KEY: .*topology/)]);
  });

  it('refuses a topology, and the settings of other kinds of study', () => {
    expect(problemsOf('access: {}\npersistence: {}\nflight: {}\n')).toEqual([
      expect.stringContaining('`persistence` does not go together with `access`'),
      expect.stringContaining('`flight` does not go together with `access`'),
    ]);
    const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [{ name: a }]\n';
    const { problems } = checkExperiment(inputs('access: {}\ntopology: t.yaml\n', topology), studies);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('`topology` does not go together with `access`'),
    ]);
  });

  it('refuses factors of a topology', () => {
    expect(problemsOf('access: {}\nfactors: { services: [1, 2] }\n').join()).toContain(
      'services varies a topology, and the experiment has none',
    );
  });

  it('refuses data that its source does not have, at its place in the file', () => {
    expect(problemsOf('access:\n  source: mongodb\n  own: { table: sales }\n')).toEqual([
      '6 TB_EXPERIMENT_ACCESS: `own.table` is data of postgresql, and the source is mongodb',
    ]);
    expect(problemsOf('access: { own: { table: a, query: SELECT 1 } }\n').join()).toContain(
      'expected one of `table`, `query`, `collection`, `file` and `dat`',
    );
    expect(problemsOf("access: { source: parquet, url: 'postgresql://a@b/c' }\n").join()).toContain(
      '`url` is for a server, and parquet is a file',
    );
  });

  it('refuses an option that the variant does not have', () => {
    expect(problemsOf('access: { connections: 2 }\n').join()).toContain('the variant native has no `connections`');
    expect(problemsOf('access: { variant: columnar, connections: 2 }\n')).toEqual([]);
  });

  it('measures a variant without an option once, and reports it', () => {
    const lines = 'access: {}\nfactors: { variant: [native, columnar], access.connections: [1, 2] }\n';
    expect(cellsOf(lines).map(({ levels }) => `${levels.variant} ${levels['access.connections']}`)).toEqual([
      'native 1',
      'columnar 1',
      'columnar 2',
    ]);
    const { warnings } = resolveExperiment(inputs(lines), studies);
    expect(warnings.map(({ message }) => message)).toEqual(['native has no connections: measured once, as 1']);
  });

  it('has options of programs and of Flight for the variants that have them', () => {
    const problem = (variant: string, option: string) => problemsOf(`access: { variant: ${variant}, ${option} }\n`);
    expect(problem('connector-process', 'compression: lz4').join()).toContain('has no `compression`');
    expect(problem('columnar', 'warm: true').join()).toContain('the variant columnar has no `warm`');
    expect(problem('columnar-pod', 'cachedDiscovery: true').join()).toContain('has no `cachedDiscovery`');
    expect(problem('columnar-container', 'compression: zstd, connections: 2, warm: true')).toEqual([]);
    expect(problem('flight-pod', 'compression: lz4, cachedDiscovery: true')).toEqual([]);
    const lines = `access: { variant: flight-process }
factors: { access.warm: [false, true], access.cachedDiscovery: [false, true] }\n`;
    expect(cellsOf(lines).map(({ levels }) => `${levels['access.warm']} ${levels['access.cachedDiscovery']}`)).toEqual([
      'false false',
      'false true',
      'true false',
    ]);
  });

  it('is refused when no cell is left', () => {
    const { experiment } = inputs('access: {}\nfactors: { variant: [native, columnar], access.connections: [1, 2] }\n');
    const choices = { only: { variant: ['native'], 'access.connections': ['2'] } };
    expect(() => resolveExperiment({ experiment, choices }, studies)).toThrow(
      expect.objectContaining({ exitCode: 2, message: 'the choice variant=["native"]: no cell is left to measure' }),
    );
  });

  it('reads one row from the smallest volume alone', () => {
    const cells = cellsOf('access: {}\nfactors: { volume: [5000, 1000], query: [all, one-row] }\n');
    expect(cells.map(({ levels }) => `${levels.volume} ${levels.query}`)).toEqual([
      '5000 all',
      '1000 all',
      '1000 one-row',
    ]);
  });

  it('measures programs in processes, containers and pods on every source that they reach', () => {
    const variants = 'variant: [native, connector-container, connector-pod, flight-container, flight-pod]';
    const lines = `access: {}\nfactors: { source: [postgresql, mongodb, parquet], ${variants} }\n`;
    const bySource = (source: string) =>
      cellsOf(lines).flatMap(({ levels }) => (levels.source === source ? [levels.variant] : []));
    const all = ['native', 'connector-container', 'connector-pod', 'flight-container', 'flight-pod'];
    expect([bySource('postgresql'), bySource('mongodb'), bySource('parquet')]).toEqual([all, all, all]);
  });

  it('counts the client, its programs and a server of our own', async () => {
    const processes = async (lines: string): Promise<number> => {
      const resolved = resolveExperiment(inputs(`access: { ${lines} }\n`), studies);
      return (await estimateOf(resolved)).processesOf(resolved.cells[0] as (typeof resolved.cells)[0]);
    };
    expect(await processes('source: parquet')).toBe(1);
    expect(await processes('variant: native')).toBe(2);
    expect(await processes("variant: connector-container, url: 'postgresql://a@b/c'")).toBe(2);
    expect(await processes('variant: flight-pod')).toBe(4);
    expect(await processes('variant: columnar-pod')).toBe(3);
    expect(await processes('variant: columnar')).toBe(2);
  });

  it('has an upper limit of time that follows the estimate, and the timeout below it', async () => {
    const estimate = (lines: string) => estimateOf(resolveExperiment(inputs(`access: { ${lines} }\n`), studies));
    const { seconds, maxSeconds } = await estimate('rows: 4000000');
    expect(maxSeconds).toBeGreaterThan(2 * seconds);
    expect(maxSeconds).toBeLessThan(8 * seconds);
    // 15 s instead of three times the read, in each of the repetitions.
    expect((await estimate('rows: 4000000, timeout: 15s')).maxSeconds).toBeLessThan(0.7 * maxSeconds);
  });

  it('estimates a run from the rows', async () => {
    const seconds = async (rows: number): Promise<number> =>
      (await estimateOf(resolveExperiment(inputs(`access: { rows: ${rows} }\n`), studies))).seconds;
    expect(await seconds(4_000_000)).toBeGreaterThan(2 * (await seconds(1_000_000)));
  });

  it('has the loads of its tables in the estimate, once for each', async () => {
    const once = async (lines: string): Promise<number> =>
      (await estimateOf(resolveExperiment(inputs(lines), studies))).onceSeconds;
    const one = await once('access: { rows: 1000000 }\n');
    expect(one).toBeGreaterThan(5);
    expect(await once('access: { rows: 1000000 }\nfactors: { variant: [native, columnar] }\nrepetitions: 9\n')).toBe(
      one,
    );
    expect(await once('access: {}\nfactors: { volume: [1000000, 2000000] }\n')).toBeCloseTo(3 * one);
    // Documents are slower than a COPY.
    expect(await once('access: { rows: 1000000, source: mongodb }\n')).toBeGreaterThan(3 * one);
    expect(await once('access: { own: { table: a } }\n')).toBe(0);
  });

  it('has an estimate of its own for each source', async () => {
    const seconds = async (source: string): Promise<number> =>
      (await estimateOf(resolveExperiment(inputs(`access: { rows: 1000000, source: ${source} }\n`), studies))).seconds;
    expect(await seconds('mongodb')).toBeGreaterThan(3 * (await seconds('postgresql')));
  });

  it('is estimated below three minutes as data-access-small', async () => {
    const file = 'data-access-small.yaml';
    const text = readFileSync(new URL(`../../../../experiments/${file}`, import.meta.url), 'utf8');
    const resolved = resolveExperiment({ experiment: { file, text }, choices: {} }, studies);
    expect((await estimateOf(resolved)).seconds).toBeLessThan(180);
  });

  it('is estimated near the time that a quiet machine took: docs/measurements/data-access.md', async () => {
    const text = readFileSync(new URL('../../../../experiments/data-access-study.yaml', import.meta.url), 'utf8');
    const resolved = resolveExperiment(
      {
        experiment: { file: 'e.yaml', text: text.replace('repetitions: 10', 'repetitions: 6') },
        choices: {
          only: {
            source: ['postgresql', 'parquet'],
            variant: ['native', 'connector-container', 'flight-container', 'columnar', 'columnar-container'],
          },
        },
      },
      studies,
    );
    expect(resolved.cells).toHaveLength(40);
    const minutes = (await estimateOf(resolved)).seconds / 60;
    // On two days.
    expect(minutes).toBeGreaterThan(51);
    expect(minutes).toBeLessThan(6 * 14);
  });

  it('refuses deployments that are kept for a round', () => {
    expect(problemsOf('access: {}\ndeploy: round\n').join()).toContain('TB_EXPERIMENT_ACCESS');
  });
});
