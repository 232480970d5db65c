import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ExperimentInputs, readInputs } from '../src/read-inputs.ts';
import { argumentWithoutSecrets, withoutSecrets, withSecrets } from '../src/stored-secrets.ts';

const address = (password: string, host = 'db'): string => `postgresql://ann:${password}@${host}:5433/shop`;

describe('the password of a database address', () => {
  let folder: string;
  let file: string;

  const write = (url: string): Promise<void> =>
    writeFile(file, `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\naccess: { url: '${url}' }\n`);
  const stored = (inputs: ExperimentInputs): ExperimentInputs => {
    const record = { command: ['run', file], experiment: {}, topology: null, inputs } as unknown as RunRecord;
    return withoutSecrets(record).inputs as ExperimentInputs;
  };

  beforeEach(async () => {
    vi.stubEnv('TOPO_BENCH_POSTGRES_URL', undefined);
    folder = await mkdtemp(join(tmpdir(), 'topo-bench-secrets-'));
    file = join(folder, 'e.yaml');
    await write(address('s3cret'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('is not stored, and a resumed run has that of its file', async () => {
    const inputs = await readInputs(file);
    const kept = stored(inputs);
    expect(JSON.stringify(kept)).not.toContain('s3cret');
    expect((await withSecrets(kept)).experiment).toEqual(inputs.experiment);
    await write(address('rotated'));
    const again = await withSecrets(kept);
    expect(again.experiment.text).toContain('ann:rotated@db');
    expect(stored(again)).toEqual(kept);
  });

  it('is needed: a file that is gone or has another server is refused, unless a flag names the server', async () => {
    const kept = stored(await readInputs(file));
    await write(address('s3cret', 'other'));
    await expect(withSecrets(kept)).rejects.toMatchObject({
      code: 'TB_RUN_SECRET_MISSING',
      message: expect.stringContaining('e.yaml is to be read again for its secrets, and has changed since'),
    });
    await rm(file);
    await expect(withSecrets(kept)).rejects.toMatchObject({ code: 'TB_RUN_SECRET_MISSING' });
    const named = await withSecrets(kept, { postgresql: address('x') });
    expect(named.experiment.text).toContain('ann@db');
    // The next session needs it too.
    expect(stored(named)).toEqual(kept);
    await expect(withSecrets(kept, { mongodb: 'mongodb://a/' })).rejects.toMatchObject({
      code: 'TB_RUN_SECRET_MISSING',
    });
  });

  it('of the command line must be given again', async () => {
    const kept = stored(await readInputs(file, { set: { 'access.url': address('typed') } }));
    expect(JSON.stringify(kept)).not.toContain('typed');
    await expect(withSecrets(kept)).rejects.toMatchObject({
      code: 'TB_RUN_SECRET_MISSING',
      message: expect.stringContaining('a password was given with --set'),
      hint: expect.stringContaining('--postgres-url'),
    });
    await expect(withSecrets(kept, { postgresql: address('x') })).resolves.toBeDefined();
  });

  it('that an address lacks needs no file', async () => {
    await write('postgresql://ann@db/shop');
    const kept = stored(await readInputs(file));
    await rm(file);
    await expect(withSecrets(kept)).resolves.toEqual(kept);
  });
});

describe('an argument is stored without', () => {
  it.each([
    ['a variable', 'services.pricing.env.API_KEY=s3cret', 'services.pricing.env.API_KEY=<not stored>'],
    ['a variable by index', '--set=services[0].env.API_KEY=s3cret', '--set=services[0].env.API_KEY=<not stored>'],
    ['all variables', 'services.pricing.env={"API_KEY":"s3cret"}', 'services.pricing.env=<not stored>'],
    ['those of a service', 'services[0]={"name":"a","env":{"K":"s3cret"}}', 'services[0]=<not stored>'],
    ['those of all services', 'services=[{"name":"a",\n"env":{"K":"s3cret"}}]', 'services=<not stored>'],
    ['those of a choice', 'set={"services.a.env.K":"s3cret"}', 'set=<not stored>'],
    ['a password', 'persistence.url=postgresql://ann:s3cret@db/shop', 'persistence.url=postgresql://ann@db/shop'],
    ['user and password', 'services[0].url=http://ann:s3cret@host/', 'services[0].url=http://***@host/'],
  ])('%s', (_, word, stored) => {
    expect(argumentWithoutSecrets(word)).toBe(stored);
  });

  it.each(['architecture=sidecar', 'services.count=3', 'services=[{"name":"a"}]', 'topologies/services.yaml'])(
    'nothing else: %s',
    (word) => void expect(argumentWithoutSecrets(word)).toBe(word),
  );
});
