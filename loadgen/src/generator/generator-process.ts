/**
 * A generator process: prepares its part of the load, starts at the common instant, returns the result, and exits with
 * its coordinator.
 */
import { TopoBenchError } from '@topo-bench/core';
import { hostClock, hostClockErrorUs, hostClockName } from '@topo-bench/host';
import { drivers } from '../drivers.ts';
import type { FromGenerator, LoadPart, PreparedShard, ToGenerator } from './messages.ts';

/** @param entry script of this process, which its pacing thread runs too */
export function runGeneratorProcess(entry: string): void {
  let prepared: PreparedShard | undefined;
  // The channel closes when the parent exits for any reason.
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches the whole process group; the parent handles it.
  process.on('SIGINT', () => undefined);
  process.on('message', (message: ToGenerator) => {
    handle(message).catch((error: unknown) => send(failure(error)));
  });

  async function handle(message: ToGenerator): Promise<void> {
    if (message.type === 'readClock') send({ type: 'clock', reading: readClock() });
    else if (message.type === 'prepare') await prepare(message.part);
    else await start(message.startAtUs);
  }

  async function prepare({ driver, job, shard }: LoadPart): Promise<void> {
    const { prepareShard } = await drivers[driver].shards();
    prepared = await prepareShard(job, shard, entry);
    send({ type: 'ready', threads: withMainThread(prepared.threads) });
  }

  async function start(startAtUs: number): Promise<void> {
    if (!prepared) throw new TopoBenchError('TB_INTERNAL', 'generator received start before prepare');
    const startLateUs = Math.max(0, hostClock.nowUs() - startAtUs);
    const result = await prepared.run(
      startAtUs,
      () => send({ type: 'drained' }),
      (progress) => send({ type: 'progress', progress }),
    );
    send({ type: 'done', result, startLateUs });
  }
}

function readClock() {
  return { errorUs: hostClockErrorUs(), clock: hostClockName(), nowUs: hostClock.nowUs() };
}

/** The thread id of the main thread is the process id. */
function withMainThread(threads: number[] | undefined): number[] | undefined {
  return threads && [process.pid, ...threads];
}

function send(message: FromGenerator): void {
  process.send?.(message);
}

function failure(error: unknown): FromGenerator {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const ours = error instanceof TopoBenchError ? error : undefined;
  return { type: 'failed', code: ours?.code, message, hint: ours?.hint, stack };
}
