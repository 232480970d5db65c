import { studies } from '@topo-bench/studies';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveExperiment } from '../../src/resolve-experiment.ts';
import { requireSameServers, runServers } from '../../src/stores/run-servers.ts';

function cellsOf(url = '', factors = '{ store: [sql-indexed, document] }') {
  const persistence = `{ store: sql-indexed${url && `, url: '${url}'`} }`;
  return resolveExperiment(
    {
      experiment: {
        file: 'e.yaml',
        text: `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\ntopology: t.yaml\npersistence: {}\nfactors: ${factors}\n`,
      },
      topology: {
        file: 't.yaml',
        text: `apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [{ name: items, persistence: ${persistence} }]\n`,
      },
      choices: {},
    },
    studies,
  ).cells;
}

describe('the servers of a run', () => {
  beforeEach(() => {
    for (const engine of ['POSTGRES', 'MONGODB']) vi.stubEnv(`TOPO_BENCH_${engine}_URL`, undefined);
  });
  afterEach(() => vi.unstubAllEnvs());

  it('are identified by engine, host, port and source; user and password are not kept', () => {
    vi.stubEnv('TOPO_BENCH_MONGODB_URL', 'mongodb://ann:secret@docs.example');
    expect(runServers(cellsOf(), { postgresql: 'postgresql://ann:secret@DB:5433/x?sslmode=require' })).toEqual([
      { engine: 'postgresql', address: 'db:5433', source: '--postgres-url' },
      { engine: 'mongodb', address: 'docs.example:27017', source: 'TOPO_BENCH_MONGODB_URL' },
    ]);
    expect(runServers(cellsOf('', '{}'))).toEqual([{ engine: 'postgresql' }]);
  });

  it('are one per address in the file, unless a flag replaces all of them', () => {
    const path = 'topology.services.items.persistence.url';
    const cells = cellsOf('', `{ ${path}: ['postgresql://a/', 'postgresql://b:5432/'] }`);
    expect(runServers(cells)).toEqual([
      { engine: 'postgresql', file: 'a:5432', address: 'a:5432', source: 'the file' },
      { engine: 'postgresql', file: 'b:5432', address: 'b:5432', source: 'the file' },
    ]);
    expect(runServers(cells, { postgresql: 'postgresql://c/' }).map(({ address }) => address)).toEqual([
      'c:5432',
      'c:5432',
    ]);
  });

  it('are those that a data-access study reads, and a change of address is noticed', () => {
    const reading = (access: string) =>
      resolveExperiment(
        {
          experiment: {
            file: 'e.yaml',
            text: `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\naccess: ${access}\nfactors: { source: [postgresql, parquet] }\n`,
          },
          choices: {},
        },
        studies,
      ).cells;
    const own = runServers(reading('{}'));
    expect(own).toEqual([{ engine: 'postgresql' }]);
    const [before, now] = ['postgresql://ann:x@a/', 'postgresql://ann:x@b/'].map((postgresql) =>
      runServers(reading('{}'), { postgresql }),
    );
    expect(before).toEqual([{ engine: 'postgresql', address: 'a:5432', source: '--postgres-url' }]);
    for (const other of [now ?? [], own]) {
      expect(() => requireSameServers('runs/a', before, other)).toThrow(
        expect.objectContaining({ code: 'TB_RUN_FOLDER_OTHER_SERVER' }),
      );
    }
  });

  it('have the image that the file names, one each, and a connection string in its place is noticed', () => {
    const path = 'topology.services.items.persistence.image';
    const ofImages = cellsOf('', `{ ${path}: ['postgres:16', 'postgres:17'] }`);
    const started = runServers(ofImages);
    expect(started).toEqual([
      { engine: 'postgresql', image: 'postgres:16' },
      { engine: 'postgresql', image: 'postgres:17' },
    ]);
    const named = runServers(ofImages, { postgresql: 'postgresql://db/' });
    expect(named.map(({ address }) => address)).toEqual(['db:5432', 'db:5432']);
    expect(() => requireSameServers('runs/a', started, named)).toThrow(
      /were kept on a postgresql server that topo-bench starts from the image postgres:16, and would now be on the .* db/,
    );
    expect(() => requireSameServers('runs/a', started, runServers(ofImages))).not.toThrow();
  });

  it('must be the same when a run resumes; otherwise the error names the original ones', () => {
    const named = runServers(cellsOf('', '{}'), { postgresql: 'postgresql://ann:x@db/' });
    const own = runServers(cellsOf('', '{}'));
    expect(() => requireSameServers('runs/a', own, own)).not.toThrow();
    expect(() => requireSameServers('runs/a', undefined, named)).not.toThrow();
    vi.stubEnv('TOPO_BENCH_POSTGRES_URL', 'postgres://bob:y@db:5432/other');
    const byVariable = runServers(cellsOf('', '{}'));
    expect(() => requireSameServers('runs/a', named, byVariable)).not.toThrow();
    expect(() => requireSameServers('runs/a', named, own)).toThrow(
      expect.objectContaining({
        code: 'TB_RUN_FOLDER_OTHER_SERVER',
        exitCode: 2,
        message:
          'cannot continue runs/a: its stores were kept on the postgresql server at db:5432 (named by --postgres-url), and would now be on a postgresql server that topo-bench starts',
        hint: expect.stringContaining('add --postgres-url with the connection string of db:5432; or'),
      }),
    );
    expect(() => requireSameServers('runs/a', own, byVariable)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('leave out TOPO_BENCH_POSTGRES_URL; or') }),
    );
  });
});
