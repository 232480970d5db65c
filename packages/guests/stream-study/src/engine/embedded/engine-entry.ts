/** The entry file of the stream processor: a process that runs jobs on demand, and ends with its IPC channel. */
import { answer, answerFailure } from '@topo-bench/study-kit/child/answers';
import type { FromEngine, ToEngine } from './messages.ts';
import { StreamEngine } from './stream-engine.ts';

const stop = new AbortController();
let engine: StreamEngine | undefined;

// Ctrl-C reaches the whole process group of the terminal: the run requests its processor to stop.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToEngine) => {
  if (message.kind === 'stop') end();
  else perform(message).then(answer, (error) => answerFailure(error, 'TB_STREAM_ENGINE'));
});

async function perform(message: Exclude<ToEngine, { kind: 'stop' }>): Promise<FromEngine> {
  if (message.kind === 'job') return { kind: 'done', outcome: await (engine as StreamEngine).run(message.request) };
  engine = await StreamEngine.prepare(message.settings, stop.signal);
  return { kind: 'ready' };
}

function end(): void {
  stop.abort();
  process.exit(0);
}
