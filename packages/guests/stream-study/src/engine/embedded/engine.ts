/** The embedded engine as a run sees it: a child process that prepares, runs jobs one by one, and ends. */
import { ownScript } from '@topo-bench/host';
import { AskedChild } from '@topo-bench/study-kit/child/asked-child';
import type { Engine, EngineModule } from '../engine.ts';
import type { EngineSettings, JobOutcome, JobRequest } from '../job.ts';
import type { FromEngine, ToEngine } from './messages.ts';

export const module: EngineModule = {
  // It comes with topo-bench.
  require: async () => {},
  open: () => new EmbeddedEngine(),
};

export class EmbeddedEngine implements Engine {
  readonly #child = new AskedChild<ToEngine, FromEngine>({
    name: 'the stream processor',
    script: ownScript('stream-engine.js', new URL('./engine-entry.ts', import.meta.url)),
    code: 'TB_STREAM_ENGINE',
    graceMs: 2000,
  });

  /** Draws the points and warms up the operators. */
  async prepare(settings: EngineSettings): Promise<void> {
    await this.#child.ask({ kind: 'prepare', settings }, 'ready');
  }

  async run(request: JobRequest): Promise<JobOutcome> {
    return (await this.#child.ask({ kind: 'job', request }, 'done')).outcome;
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    await this.#child.kill();
  }

  async stop(): Promise<void> {
    await this.#child.stop();
  }
}
