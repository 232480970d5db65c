/**
 * Builds the image of the roles on the container engine of this machine, and loads it into a local cluster: kind, k3d,
 * minikube, or the containerd of a cluster here. Its tag has the hash of its inputs, so nodes never run an older one.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connectEngine, type Engine, serviceImage } from '@topo-bench/containers';
import { TopoBenchError } from '@topo-bench/core';
import { describeEnd, programOutput, SupervisedChild } from '@topo-bench/host';
import type { RunnerOptions } from '../runner-options.ts';
import { interrupted, unlessAborted } from '../unless-aborted.ts';
import type { ApiClient } from './api-client.ts';
import { type ImageLoader, imageLoaderFor } from './image-loaders.ts';
import { podsReach } from './server-reach.ts';

const loadWithinMs = 300_000;
const stopGraceMs = 2000;
const maxTagAttempts = 10;
const hashLength = 12;

/**
 * @returns name of the loaded image; undefined where the cluster pulls its images, and without an engine to build on
 * @throws TopoBenchError `TB_CLUSTER_NO_IMAGE`, `TB_ENGINE_NO_IMAGE`, `TB_NOT_BUILT`, and `TB_INTERRUPTED` when the
 * signal was aborted
 */
export async function loadImage(
  api: ApiClient,
  options: RunnerOptions,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const loader = await usableLoader(api);
  if (!loader) return undefined;
  const { serviceEntry, baseImage, onProgress } = options;
  const engine = await connectEngine().catch((error: Error) => {
    onProgress?.(`no image is loaded into the cluster: ${error.message}`);
  });
  if (!engine) return undefined;
  const built = serviceImage(engine, { builtFolder: dirname(serviceEntry), baseImage, onProgress, signal });
  const { id, name } = await unlessAborted(built, signal);
  const tagged = `${name}-${id.replace('sha256:', '').slice(0, hashLength)}`;
  onProgress?.(`loading the image ${tagged} with ${loader.tool}`);
  await loadArchive(engine, id, tagged, loader, signal);
  return tagged;
}

async function usableLoader(api: ApiClient): Promise<ImageLoader | undefined> {
  const { listen } = await podsReach(api);
  const context = api.config.getCurrentContext();
  const loader = imageLoaderFor({ context, isThisMachine: listen !== undefined });
  if (!loader?.check) return loader;
  const { args, manages } = loader.check;
  const listed = (await programOutput(loader.tool, args)) ?? '';
  return listed.split('\n').includes(manages) ? loader : undefined;
}

/** As an archive of one platform without attestations: loading from an engine directly fails with some image stores. */
async function loadArchive(
  engine: Engine,
  id: string,
  name: string,
  { tool, load }: ImageLoader,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-image-'));
  try {
    const archive = join(folder, 'image.tar');
    await pipeline(await taggedArchive(engine, id, name, signal), createWriteStream(archive), { signal });
    const args = load(archive);
    const failure = await failureOf(tool, args, signal);
    if (failure === undefined) return;
    const message = `cannot load ${name} into the cluster: ${[tool, ...args].join(' ')} ${failure}`;
    const hint = `put ${tool} on the PATH, or name an image that the cluster has or can pull: --image NAME`;
    throw new TopoBenchError('TB_CLUSTER_NO_IMAGE', message, { hint });
  } catch (error) {
    throw signal?.aborted ? interrupted() : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await untag(engine, name);
  }
}

/** Another run may remove the tag, which is the same for the same image, before the engine has read it. */
async function taggedArchive(
  { client }: Engine,
  id: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<NodeJS.ReadableStream> {
  const colon = name.lastIndexOf(':');
  const [repo, tag] = [name.slice(0, colon), name.slice(colon + 1)];
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    await client.getImage(id).tag({ repo, tag });
    const reading = client.getImage(name).get();
    try {
      return await unlessAborted(reading, signal);
    } catch (error) {
      // The engine answers when the archive is complete.
      if (signal?.aborted)
        reading.then(
          (archive) => (archive as Readable).destroy(),
          () => undefined,
        );
      if ((error as { statusCode?: number }).statusCode !== 404 || attempt === maxTagAttempts) throw error;
    }
  }
}

/** The image keeps its other name. */
async function untag({ client }: Engine, name: string): Promise<void> {
  const image = client.getImage(name);
  await image.remove().catch(() => undefined);
}

/** Runs the tool of a cluster. It ends with this process, and when the caller aborts. @returns undefined for success */
async function failureOf(
  tool: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  signal?.throwIfAborted();
  const child = new SupervisedChild({
    command: tool,
    args,
    stdio: ['ignore', 'ignore', 'pipe'],
    ownGroup: true,
    killAtExit: true,
  });
  const stop = (): void => void child.stop(stopGraceMs);
  const timer = setTimeout(stop, loadWithinMs);
  signal?.addEventListener('abort', stop);
  try {
    const end = await child.exitedWithErrors();
    signal?.throwIfAborted();
    if (end.exitCode === 0) return undefined;
    return [describeEnd(end), ...child.errorLines.map((line) => `\n  | ${line}`)].join('');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * The image of roles when none is named: that of this version.
 * @param serviceEntry file in the built folder; the manifest is next to that folder
 */
export function defaultImage(serviceEntry: string): string {
  const manifest = readFileSync(join(dirname(serviceEntry), '..', 'package.json'), 'utf8');
  return `topo-bench/service:${(JSON.parse(manifest) as { version: string }).version}`;
}
