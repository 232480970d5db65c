/** Warm-up of a bulk transfer: its streams move parts of the table until their common rate has settled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasSettled } from '../warm-up.ts';
import type { TransferRequest } from './transfer.ts';
import type { TransferStream } from './transfer-stream.ts';

/**
 * @returns whether the rate settled before the bound; true without a warm-up
 * @param signal aborts stalled streams
 * @throws the error of a stream
 */
export async function warmUpStreams(
  streams: readonly TransferStream[],
  { windowUs, maxUs, change }: TransferRequest['warmup'],
  signal: AbortSignal,
): Promise<boolean> {
  if (maxUs === 0) return true;
  const over = new AbortController();
  let rows = 0;
  const work = Promise.all(streams.map(keepMoving));
  const watch = watchRate();
  try {
    return await Promise.race([watch, work.then(() => watch)]);
  } finally {
    over.abort();
    await work;
    await watch;
  }

  async function keepMoving(stream: TransferStream): Promise<void> {
    const count = (more: number): void => {
      rows += more;
    };
    while (!over.signal.aborted) await stream.warmUp(count, () => over.signal.aborted, signal);
  }

  async function watchRate(): Promise<boolean> {
    const windows: number[] = [];
    const startMs = performance.now();
    while ((performance.now() - startMs) * 1e3 < maxUs && !over.signal.aborted) {
      const before = { rows, atMs: performance.now() };
      await sleep(windowUs / 1e3, undefined, { signal: over.signal }).catch(() => undefined);
      windows.push((rows - before.rows) / (performance.now() - before.atMs));
      if (hasSettled(windows, change)) return true;
    }
    return false;
  }
}
