/**
 * The image of roles and load generators, `topo-bench/service:<version>`: built from the Dockerfile in `image/` of the
 * built files, and again only when one of its inputs has changed.
 */
import { Readable } from 'node:stream';
import { TopoBenchError } from '@topo-bench/core';
import type { Engine } from '../connect-engine.ts';
import { withinDeadline } from '../engine-deadline.ts';
import { engineFailure } from '../engine-failure.ts';
import { type ImageInputs, readImageInputs } from './image-inputs.ts';
import { type ImageRequest, requireImage } from './require-image.ts';

export interface ServiceImageOptions extends ImageRequest {
  /** Folder of the built command line tool. */
  builtFolder: string;
  /** Used as it is, instead of a built image. */
  image?: string | undefined;
  /** Default: the official image of the Node.js version of this process. */
  baseImage?: string | undefined;
}

export interface ServiceImage {
  /** For containers: a tag may move to another image at any time. */
  id: string;
  /** For messages and for other engines. */
  name: string;
}

/** The official image without compilers and with the C library of most servers. */
export function defaultBaseImage(): string {
  return `node:${process.versions.node.split('.')[0]}-slim`;
}

/** Builds in progress, by hash of their inputs: several deployments of a run start at once, with its signal. */
const building = new Map<string, Promise<ServiceImage>>();

/** @throws TopoBenchError `TB_ENGINE_NO_IMAGE`, `TB_NOT_BUILT`; the reason of the signal */
export async function serviceImage(engine: Engine, options: ServiceImageOptions): Promise<ServiceImage> {
  const { image, baseImage = defaultBaseImage() } = options;
  if (image !== undefined) {
    const hint = 'build or pull it, or leave out --image to have it built';
    return { id: await requireImage(engine, image, hint, options), name: image };
  }
  const inputs = await readImageInputs(options.builtFolder, baseImage);
  const existing = await findImage(engine, inputs);
  if (existing) return existing;
  const key = `${engine.address.url} ${inputs.hash}`;
  const begun = building.get(key);
  if (begun) return begun;
  const build = buildImage(engine, inputs, baseImage, options).finally(() => building.delete(key));
  building.set(key, build);
  return build;
}

const tagOf = ({ version }: ImageInputs): string => `topo-bench/service:${version}`;

async function findImage({ client }: Engine, inputs: ImageInputs): Promise<ServiceImage | undefined> {
  const filters = { label: [`${imageLabels.inputs}=${inputs.hash}`] };
  const work = 'list the images';
  const [found] = await withinDeadline(work, (abortSignal) => client.listImages({ filters, abortSignal })).catch(
    (error: unknown) => {
      throw engineFailure(work, error);
    },
  );
  return found && { id: found.Id, name: tagOf(inputs) };
}

async function buildImage(
  engine: Engine,
  inputs: ImageInputs,
  baseImage: string,
  { onProgress, signal }: ImageRequest,
): Promise<ServiceImage> {
  const { client } = engine;
  const hint = 'name a Node.js image that the engine has or can pull: --base-image NAME';
  await requireImage(engine, baseImage, hint, { onProgress, signal });
  const name = tagOf(inputs);
  signal?.throwIfAborted();
  onProgress?.(`building the image ${name} on ${baseImage}`);
  const output: string[] = [];
  try {
    const stream = await client.buildImage(Readable.from([inputs.context]), {
      t: name,
      buildargs: { BASE: baseImage, VERSION: inputs.version, INPUTS: inputs.hash },
      rm: true,
      forcerm: true,
      ...(signal && { abortSignal: signal }),
    });
    await new Promise<void>((resolve, reject) => {
      const step = (event: { stream?: string }): void => void output.push(event.stream?.trim() ?? '');
      client.modem.followProgress(stream, (error: Error | null) => (error ? reject(error) : resolve()), step);
    });
  } catch (cause) {
    signal?.throwIfAborted();
    const last = output.filter(Boolean).slice(-3);
    const lines = [...last, (cause as Error).message].map((line) => `\n  | ${line}`).join('');
    throw new TopoBenchError('TB_ENGINE_NO_IMAGE', `cannot build ${name} on ${baseImage}${lines}`, { hint, cause });
  } finally {
    await removeUnused(engine, inputs);
  }
  const built = await findImage(engine, inputs);
  if (!built)
    throw new TopoBenchError('TB_ENGINE_NO_IMAGE', `${name} was built on ${baseImage} and is missing`, { hint });
  return built;
}

/** Age at which no other run needs an image that has lost its tag. It would be built again. */
const supersededAfterS = 3600;

/**
 * Removes the images of the build stages, which the classic builder of Docker keeps, and images of earlier builds that
 * lost their tag. The engine refuses the removal of an image that a container uses.
 */
async function removeUnused({ client }: Engine, { hash }: ImageInputs): Promise<void> {
  const untagged = (label: string) =>
    withinDeadline('list unused images', (abortSignal) =>
      client.listImages({ filters: { dangling: ['true'], label: [label] }, abortSignal }),
    ).catch(() => []);
  const [stages, earlier] = await Promise.all([untagged(`${imageLabels.build}=${hash}`), untagged(imageLabels.inputs)]);
  const unused = [
    ...stages.filter(({ Labels }) => Labels?.[imageLabels.inputs] === undefined),
    ...earlier.filter(({ Created }) => Date.now() / 1e3 - Created > supersededAfterS),
  ];
  for (const { Id } of unused)
    await withinDeadline(`remove the image ${Id}`, (abortSignal) => client.getImage(Id).remove({ abortSignal })).catch(
      () => undefined,
    );
}

/** Labels of images, set by the Dockerfile of the service image. */
const imageLabels = {
  /** Hash of the inputs of the service image. */
  inputs: 'dev.topo-bench.inputs',
  /** The same on images of earlier build stages, which nothing uses after the build. */
  build: 'dev.topo-bench.build',
} as const;
