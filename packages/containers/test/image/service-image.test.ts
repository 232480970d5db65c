import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { dockerOrSkip } from '../../../../test/fixtures/engines.ts';
import { serviceImage } from '../../src/index.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const docker = await dockerOrSkip();
const baseImage = process.env.TOPO_BENCH_BASE_IMAGE;
/** Files, libraries and a layer of the built tool, on top of its base. The decoder of Parquet files has 5 MB of it. */
const maxOwnBytes = 26e6;

const built = join(import.meta.dirname, '../../../cli/dist');
const folder = mkdtempSync(join(tmpdir(), 'topo-bench-image-'));
const version = `0.0.0-test.${process.pid}`;

/** A copy of the built files with a version of its own, so that no other image loses its tag. */
function builtFolder(): string {
  cpSync(built, folder, { recursive: true });
  const list = JSON.parse(readFileSync(join(folder, 'image/image.json'), 'utf8'));
  writeFileSync(join(folder, 'image/image.json'), JSON.stringify({ ...list, version }));
  return folder;
}

describe.skipIf(docker.missing)(`the service image${docker.why}`, () => {
  const images = new Set<string>();
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    if (docker.missing) return;
    const { client } = await docker.engine;
    for (const id of images) await client.getImage(id).remove({ force: true });
  });

  it('is built once for the same inputs, and again when one changes', async () => {
    const engine = await docker.engine;
    const progress: string[] = [];
    const build = async (): Promise<string> => {
      const options = { builtFolder: folder, baseImage, onProgress: (line: string) => void progress.push(line) };
      const { id, name } = await serviceImage(engine, options);
      expect(name).toBe(`topo-bench/service:${version}`);
      images.add(id);
      return id;
    };
    builtFolder();
    const [first, concurrent] = await Promise.all([build(), build()]);
    expect(concurrent).toBe(first);
    expect(await build()).toBe(first);
    expect(progress.filter((line) => line.startsWith('building'))).toHaveLength(1);
    writeFileSync(join(folder, 'service.cjs'), `${readFileSync(join(folder, 'service.cjs'), 'utf8')}\n`);
    expect(await build()).not.toBe(first);
    expect(progress.filter((line) => line.startsWith('building'))).toHaveLength(2);
  });

  it('adds only the files of roles and generators to its base, and leaves no image of a stage behind', async () => {
    const { client } = await docker.engine;
    const [id = ''] = images;
    const inspected = await client.getImage(id).inspect();
    const [, ...own] = [...(await client.getImage(id).history())].reverse();
    const added = own.filter(({ CreatedBy }) => /COPY/.test(CreatedBy)).at(-1)?.Size;
    expect(added).toBeGreaterThan(1e6);
    expect(added).toBeLessThan(maxOwnBytes);
    expect(inspected.Config.User).toBe('1000:1000');
    expect(inspected.Config.Labels).toMatchObject({ 'org.opencontainers.image.version': version });
    console.info(
      `service image: ${(inspected.Size / 1e6).toFixed(1)} MB, of which ${((added ?? 0) / 1e6).toFixed(1)} MB`,
    );
    const stages = await client.listImages({ filters: { dangling: ['true'], label: ['dev.topo-bench.build'] } });
    const inputs = inspected.Config.Labels['dev.topo-bench.inputs'];
    expect(stages.filter(({ Labels }) => Labels['dev.topo-bench.build'] === inputs)).toEqual([]);
  });

  it('names --base-image when the base can neither be found nor pulled', async () => {
    const build = serviceImage(await docker.engine, { builtFolder: built, baseImage: 'localhost:1/no/such-image:1' });
    await expect(build).rejects.toMatchObject({
      code: 'TB_ENGINE_NO_IMAGE',
      message: expect.stringContaining('localhost:1/no/such-image:1'),
      hint: expect.stringContaining('--base-image'),
    });
  });

  it('is the one that --image names, unchanged, or an error that names it', async () => {
    const engine = await docker.engine;
    const [id = ''] = images;
    const named = await serviceImage(engine, { builtFolder: '/nowhere', image: `topo-bench/service:${version}` });
    expect(images).toContain(named.id);
    expect(named.id).not.toBe(id);
    const missing = serviceImage(engine, { builtFolder: '/nowhere', image: 'localhost:1/no/such-image:1' });
    await expect(missing).rejects.toMatchObject({
      code: 'TB_ENGINE_NO_IMAGE',
      hint: expect.stringContaining('--image'),
    });
  });
});
