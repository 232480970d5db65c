/** An image that must be on the engine: pulled when it is missing. */
import { TopoBenchError } from '@topo-bench/core';
import type { Engine } from '../connect-engine.ts';
import { withinDeadline } from '../engine-deadline.ts';

export interface ImageRequest {
  /** Called with a line for each step that takes long. */
  onProgress?: ((line: string) => void) | undefined;
  /** Ends a pull or build, which has no deadline. Its reason is the error then. */
  signal?: AbortSignal | undefined;
}

/**
 * @param hint for the case that it can neither be found nor pulled
 * @returns its id
 * @throws TopoBenchError `TB_ENGINE_NO_IMAGE`; the reason of the signal
 */
export async function requireImage(
  { client }: Engine,
  name: string,
  hint: string,
  { onProgress, signal }: ImageRequest = {},
): Promise<string> {
  const find = async (): Promise<string> =>
    (await withinDeadline(`inspect the image ${name}`, () => client.getImage(name).inspect())).Id;
  try {
    return await find();
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 404) throw cannotGet(name, error as Error, hint);
  }
  signal?.throwIfAborted();
  onProgress?.(`pulling the image ${name}`);
  try {
    // Without a tag the engine would pull all of them.
    const reference = /[:@][^/]*$/.test(name) ? name : `${name}:latest`;
    const stream = await client.pull(reference, { ...(signal && { abortSignal: signal }) });
    await new Promise<void>((resolve, reject) => {
      client.modem.followProgress(stream, (error: Error | null) => (error ? reject(error) : resolve()));
    });
    return await find();
  } catch (error) {
    signal?.throwIfAborted();
    throw cannotGet(name, error as Error, hint);
  }
}

function cannotGet(name: string, cause: Error, hint: string): TopoBenchError {
  const message = `the engine does not have the image ${name} and cannot pull it: ${cause.message.trim()}`;
  return new TopoBenchError('TB_ENGINE_NO_IMAGE', message, { hint, cause });
}
