/** Tables of servers that a run starts for programs in containers: of an image, and of a program on this machine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerLabel } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import type { AnyEntry } from '@topo-bench/studies';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  buildServerImage,
  type ServerImage,
} from '../packages/guests/stores/test/fixtures/server-images/build-server-image.ts';
import { dockerOrSkip } from './fixtures/engines.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const docker = await dockerOrSkip();
const folder = temporaryFolder();

describe.skipIf(docker.missing)(`a table that programs in containers read${docker.why}`, () => {
  let image: ServerImage | undefined;
  beforeAll(async () => {
    image = await buildServerImage(await docker.engine, 'postgresql');
  });
  afterAll(() => image?.remove());

  async function run(name: string, access: object, variants: readonly string[]) {
    const file = join(folder, `${name}.yaml`);
    const factors = `factors: { variant: [${variants.join(', ')}] }`;
    const lines = [`access: ${JSON.stringify({ rows: 1000, ...access })}`, factors, 'repetitions: 1'];
    const head = ['apiVersion: topo-bench/v1', 'kind: Experiment', `name: ${name}`];
    writeFileSync(file, [...head, ...lines, 'validity: { remeasure: 0% }', ''].join('\n'));
    const base = process.env.TOPO_BENCH_BASE_IMAGE;
    const args = ['run', file, '--json', '--out', name, ...(base === undefined ? [] : ['--base-image', base])];
    const tool = startTopoBench(args, { cwd: folder });
    const owner = await ownerLabel(tool.pid);
    const ended = await tool.ended;
    const { client } = await docker.engine;
    const filters = { label: [`${labels.owner}=${owner}`] };
    const containers = await client.listContainers({ all: true, filters });
    const { Volumes } = await client.listVolumes({ filters });
    expect([containers, Volumes ?? []]).toEqual([[], []]);
    return ended;
  }

  function expectWhole(
    { code, stdout, stderr }: Awaited<ReturnType<typeof run>>,
    store: RegExp,
    variants: readonly string[],
  ): void {
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells.map(({ access }) => access?.variant).sort()).toEqual([...variants].sort());
    for (const { access, validity } of cells) {
      expect(validity.reasons).toEqual([]);
      expect(access).toMatchObject({ rows: 1000, wrong: 0, store: expect.stringMatching(store) });
    }
    expect(new Set(cells.map(({ access }) => access?.checksum))).toHaveLength(1);
  }

  it('comes from PostgreSQL of an image', async () => {
    const variants = ['native', 'columnar-container'];
    expectWhole(await run('image', { image: image?.name }, variants), /^PostgreSQL \d/, variants);
  });

  it('comes from a MongoDB server of this machine, through programs that are kept warm', async ({ skip }) => {
    const variants = ['connector-container', 'flight-container', 'columnar-container'];
    const ended = await run('documents', { source: 'mongodb', warm: true }, variants);
    if (!process.env.CI && ended.stderr.includes('TB_STORE_NO_SERVER')) skip('no server of mongodb here');
    expectWhole(ended, /MongoDB|SecantusDB/, variants);
  });
});
