/** The image of roles on its way into a local cluster, as an archive from a real engine. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { serviceImage } from '@topo-bench/containers';
import { type ApiClient, loadImage } from '@topo-bench/runners/kubernetes';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dockerOrSkip } from './fixtures/engines.ts';
import { kubectl, kubectlOrSkip } from './fixtures/kubectl.ts';
import { namespacesOf } from './fixtures/namespaces.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { root, startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });
afterEach(() => void vi.unstubAllEnvs());

const found = await dockerOrSkip();
const cluster = await kubectlOrSkip('get', 'namespaces');
const { TOPO_BENCH_BASE_IMAGE: baseImage } = process.env;
const options = { serviceEntry: join(root, 'packages/cli/dist/service.cjs'), ...(baseImage && { baseImage }) };

/** A cluster of kind with several nodes, as far as the runner can tell. */
const api = {
  config: { getCurrentContext: () => 'kind-demo' },
  request: async () => ({ items: [] }),
} as unknown as ApiClient;

/** A program `kind` on the PATH, which no registry of packages has. @param script of a shell */
function kindIs(folder: string, script: string): void {
  const path = join(folder, 'kind');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
}

/** Writes the archive, the id of its process and that of a child, and waits. */
function kindIsSlow(folder: string): void {
  const started = `echo $$ $! "$3" > ${folder}/started.part; mv ${folder}/started.part ${folder}/started`;
  kindIs(folder, `sleep 300 & ${started}; wait`);
}

async function startedIn(folder: string): Promise<{ pids: number[]; archive: string }> {
  await vi.waitUntil(() => existsSync(join(folder, 'started')), { timeout: 30_000 });
  const [shell, child, archive = ''] = readFileSync(join(folder, 'started'), 'utf8').trim().split(' ');
  return { pids: [Number(shell), Number(child)], archive };
}

function isRunning(pid: number): boolean {
  try {
    // A zombie whose parent has not yet read its exit does not run.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A folder for temporary files of its own. */
function temporaryFilesIn(folder: string): string {
  const path = join(folder, 'tmp');
  mkdirSync(path);
  vi.stubEnv('TMPDIR', path);
  return path;
}

async function tagsOfThisImage(): Promise<string[]> {
  const { client } = await found.engine;
  const images = await client.listImages({ filters: { reference: ['topo-bench/service:*'] } });
  return images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => /-[0-9a-f]{12}$/.test(tag));
}

describe.skipIf(found.missing)(`the image for a local cluster${found.why}`, () => {
  it('is an archive of one platform whose name has the hash of the image', async () => {
    const folder = temporaryFolder();
    kindIs(folder, `echo "$@" > ${folder}/arguments; cp "$3" ${folder}/image.tar`);
    const name = (await loadImage(api, options)) as string;
    expect(name).toMatch(/^topo-bench\/service:.+-[0-9a-f]{12}$/);
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toMatch(/^load image-archive \S+ --name demo\n$/);
    const member = (path: string): string =>
      execFileSync('tar', ['-xOf', join(folder, 'image.tar'), path], { encoding: 'utf8' });
    const manifests = JSON.parse(member('manifest.json')) as { Config: string; RepoTags: string[] }[];
    expect(manifests.map(({ RepoTags }) => RepoTags)).toEqual([[name]]);
    const config = JSON.parse(member(manifests[0]?.Config as string)) as { os: string; architecture: string };
    expect(config).toMatchObject({ os: 'linux', architecture: expect.stringMatching(/^\w+$/) });
    // The additional name is gone from the engine.
    const { client } = await found.engine;
    await expect(client.getImage(name).inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('that the tool of the cluster cannot load is an error with the ways out', async () => {
    kindIs(temporaryFolder(), 'echo no nodes found for cluster demo >&2; exit 1');
    await expect(loadImage(api, options)).rejects.toMatchObject({
      code: 'TB_CLUSTER_NO_IMAGE',
      exitCode: 3,
      message: expect.stringMatching(
        /^cannot load topo-bench\/service:\S+ into the cluster: kind load image-archive .*\n {2}\| no nodes found for cluster demo$/,
      ),
      hint: expect.stringContaining('--image'),
    });
  });

  it('is loaded although another run, which has loaded the same image, removes the tag', async () => {
    kindIs(temporaryFolder(), 'tar -xOf "$3" manifest.json > /dev/null');
    const { client } = await found.engine;
    const { id, name } = await serviceImage(await found.engine, {
      builtFolder: join(root, 'packages/cli/dist'),
      baseImage,
    });
    const tagged = `${name}-${id.slice('sha256:'.length, 'sha256:'.length + 12)}`;
    let removals = 0;
    const loading = new AbortController();
    const remove = async (): Promise<void> => {
      while (removals < 3 && !loading.signal.aborted) {
        const image = client.getImage(tagged);
        await image.remove().then(
          () => removals++,
          () => undefined,
        );
      }
    };
    const removing = remove();
    const loaded = await loadImage(api, options).finally(() => loading.abort());
    await removing;
    expect(loaded).toBe(tagged);
    expect(removals).toBeGreaterThan(0);
  });

  it('is no longer loaded once the caller aborts: its tool has ended, and nothing is left', async () => {
    const folder = temporaryFolder();
    const temporary = temporaryFilesIn(folder);
    kindIsSlow(folder);
    const aborter = new AbortController();
    const loading = loadImage(api, options, aborter.signal).catch((error) => error);
    const { pids, archive } = await startedIn(folder);
    expect([pids.map(isRunning), existsSync(archive)]).toEqual([[true, true], true]);
    aborter.abort();
    expect(await loading).toMatchObject({ code: 'TB_INTERRUPTED', exitCode: 130 });
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await tagsOfThisImage()).toEqual([]);
  });

  it('is not written once the caller aborts while the engine makes the archive', async () => {
    const folder = temporaryFolder();
    const temporary = temporaryFilesIn(folder);
    kindIs(folder, `touch ${folder}/started`);
    const aborter = new AbortController();
    const loading = loadImage(api, options, aborter.signal).catch((error) => error);
    await vi.waitUntil(() => readdirSync(temporary).length > 0, { timeout: 30_000, interval: 1 });
    aborter.abort();
    expect(await loading).toMatchObject({ code: 'TB_INTERRUPTED' });
    expect([readdirSync(temporary), existsSync(join(folder, 'started'))]).toEqual([[], false]);
  });

  it.skipIf(cluster.missing)(`is no longer loaded after Ctrl-C of a run${cluster.why}`, async () => {
    const folder = temporaryFolder();
    writeSmallFiles(folder);
    const temporary = temporaryFilesIn(folder);
    kindIsSlow(folder);
    const { stdout } = await kubectl('config', 'view', '--raw', '--minify', '--flatten', '-o', 'json');
    const config = JSON.parse(stdout) as { contexts: { name: string }[] };
    const KUBECONFIG = join(folder, 'kubeconfig');
    const contexts = config.contexts.map((context) => ({ ...context, name: 'kind-demo' }));
    writeFileSync(KUBECONFIG, JSON.stringify({ ...config, contexts, 'current-context': 'kind-demo' }), { mode: 0o600 });
    const args = ['run', 'experiment.yaml', '--runner', 'kubernetes', '--out', 'run'];
    const run = startTopoBench(args, { cwd: folder, env: { KUBECONFIG } });
    const { pids } = await startedIn(folder);
    run.process.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(130);
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await tagsOfThisImage()).toEqual([]);
    expect(await namespacesOf(run.pid)).toEqual([]);
  });
});
