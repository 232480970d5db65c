/** The generator process: prepares its shard when told, starts at the common instant, hands the result to its parent, and never outlives it. */
import { TopoBenchError } from '@topo-bench/core';
import type { FromGenerator, PreparedShard, ToGenerator } from './messages.ts';

const shardModules = {
  open: () => import('../open/run-shard.ts'),
  autocannon: () => import('../autocannon/run-shard.ts'),
  flight: () => import('../flight/run-shard.ts'),
};

/** @param entry this process's script, which also serves as the pacing thread's */
export function runGeneratorProcess(entry: string): void {
  let prepared: PreparedShard | undefined;
  // The channel closes when the parent ends, however it ends.
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches the whole process group; the parent decides what it means.
  process.on('SIGINT', () => undefined);
  process.on('message', (message: ToGenerator) => {
    const work = message.type === 'prepare' ? prepare(message) : start(message.startAtUs);
    work.catch((error: unknown) => send(failure(error)));
  });

  async function prepare({ driver, job, shard }: ToGenerator & { type: 'prepare' }): Promise<void> {
    const { prepareShard } = await shardModules[driver]();
    prepared = await prepareShard(job, shard, entry);
    send({ type: 'ready', threads: withMainThread(prepared.threads) });
  }

  async function start(startAtUs: number): Promise<void> {
    if (!prepared) throw new TopoBenchError('TB_INTERNAL', 'the generator was started before it was prepared');
    send({ type: 'done', result: await prepared.run(startAtUs, () => send({ type: 'drained' })) });
  }
}

/** The main thread has the number of its process. */
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
