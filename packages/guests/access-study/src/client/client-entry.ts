/** The entry file of clients: a process that reads one table on demand, and ends with its IPC channel. */
import { answer, answerFailure } from '@topo-bench/study-kit/child/answers';
import type { FromClient, ToClient } from './messages.ts';
import { type PreparedRead, prepareRead } from './prepare-read.ts';

const stop = new AbortController();
let prepared: Promise<PreparedRead> | undefined;

// Ctrl-C reaches the whole process group of the terminal: the run requests its client to stop.
process.on('SIGINT', () => {});
process.on('disconnect', () => void end());
process.on('message', (message: ToClient) => {
  if (message.kind === 'stop') void end();
  else perform(message).then(answer, (error) => answerFailure(error, 'TB_INTERNAL'));
});

async function perform(message: Exclude<ToClient, { kind: 'stop' }>): Promise<FromClient> {
  if (message.kind === 'read')
    return { kind: 'read', outcome: await (await (prepared as Promise<PreparedRead>)).read() };
  prepared = prepareRead(message.job, stop.signal);
  await prepared;
  return { kind: 'ready', idleRssBytes: process.memoryUsage().rss };
}

let ending: Promise<void> | undefined;

function end(): Promise<void> {
  ending ??= (async () => {
    stop.abort();
    await (await prepared?.catch(() => undefined))?.close().catch(() => undefined);
    process.exit(0);
  })();
  return ending;
}
