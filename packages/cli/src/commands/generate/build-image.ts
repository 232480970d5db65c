/** Builds the image that the generated files name. Its code is loaded only with `--build`. */
import { dirname } from 'node:path';
import type { ServiceImage } from '@topo-bench/containers';
import { serviceEntry } from '../../built-files.ts';
import { note } from '../../output.ts';
import type { GenerateFlags } from './options.ts';

/** @throws TopoBenchError what the engine lacks */
export async function buildImage({ image, baseImage, context }: GenerateFlags): Promise<ServiceImage> {
  const { connectEngine, serviceImage } = await import('@topo-bench/containers');
  const engine = await connectEngine(context === undefined ? {} : { context });
  return serviceImage(engine, { builtFolder: dirname(serviceEntry()), image, baseImage, onProgress: note });
}
