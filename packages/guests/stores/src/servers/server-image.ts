/** The engine that runs a database server in a container, with the image of the server. */
import { connectEngine, type Engine, requireImage } from '@topo-bench/containers';
import type { ServerReach } from '@topo-bench/core';

/**
 * Pulls a missing image.
 * @throws TopoBenchError `TB_ENGINE_NO_IMAGE`, and what `connectEngine` throws; the reason of the signal
 */
export async function engineWithImage(
  image: string,
  { containers }: ServerReach,
  signal: AbortSignal | undefined,
): Promise<Engine> {
  const engine = await connectEngine({ context: containers?.context });
  const hint = 'correct `persistence.image`, or load the image into the engine (docker load)';
  await requireImage(engine, image, hint, { signal });
  return engine;
}
