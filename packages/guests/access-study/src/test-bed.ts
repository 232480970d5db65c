/** Reads of one cell: each by a new client, and checked against the rows of the table. */
import { formatUs, TopoBenchError } from '@topo-bench/core';
import { LoadWatch } from '@topo-bench/loadgen';
import { withinLimit } from '@topo-bench/study-kit/time-limit';
import type { MeasureContext, MeasuredRepetition, TestBed } from '@topo-bench/trial';
import { accessSample, assembleAccessCell } from './cell.ts';
import { ClientProcess } from './client/client-process.ts';
import type { ClientJob } from './client/messages.ts';
import type { AccessTrial } from './parts.ts';
import { serverUse } from './server-use.ts';
import type { Access } from './settings-schema.ts';
import type { TableOfRun } from './table-of-run.ts';

export class AccessTestBed implements TestBed {
  readonly #table: TableOfRun;
  readonly #job: ClientJob;
  #client: ClientProcess | undefined;

  constructor(table: TableOfRun, job: ClientJob) {
    this.#table = table;
    this.#job = job;
  }

  /**
   * The load of a server that topo-bench did not start, and of an engine or kubelet for its containers, cannot be
   * distinguished from foreign load.
   */
  get #hasOwnProcessesOnly(): boolean {
    const { place = 'process' } = this.#job.launch ?? {};
    return place === 'process' && this.#table.address === undefined && this.#table.containers.length === 0;
  }

  /** Every repetition has a client of its own. */
  async recover(): Promise<boolean> {
    return false;
  }

  async measure(
    cell: AccessTrial,
    repetition: number,
    { signal, onPhase }: MeasureContext,
  ): Promise<MeasuredRepetition> {
    const client = new ClientProcess();
    this.#client = client;
    const watch = new LoadWatch({
      groups: async () => this.#table.usage(),
      ...(this.#hasOwnProcessesOnly && { detachedCpuUs: async () => 0 }),
    });
    try {
      onPhase('warm-up');
      const idleRssBytes = await this.#limited(client.prepare(this.#job), cell, signal);
      onPhase('load');
      const startedAt = new Date();
      watch.begin();
      const outcome = await this.#limited(client.read(), cell, signal);
      watch.end();
      onPhase('check');
      const { host, use } = await watch.watchings();
      const server = use.store && serverUse(use.store, outcome.durationUs);
      const measured = { cell, repetition, startedAt, outcome, table: this.#table, idleRssBytes, host, server };
      const entry = assembleAccessCell(measured);
      return { entry, samples: [accessSample(outcome.durationUs, cell.settings.access)], requests: [], spans: [] };
    } catch (error) {
      // The client notices the end of a server first: its death is known once the client has ended.
      await client.stop();
      throw signal.aborted ? signal.reason : (this.#table.death() ?? error);
    } finally {
      watch.end();
      onPhase('tear-down');
      await client.stop();
    }
  }

  async close(): Promise<void> {
    await this.#client?.stop();
  }

  /** Rejects with the reason of the signal, or after the timeout of the experiment. */
  #limited<T>(step: Promise<T>, { settings }: AccessTrial, signal: AbortSignal): Promise<T> {
    const { timeout } = settings.access as Access;
    const error = () =>
      new TopoBenchError('TB_ACCESS_CLIENT', `the read took longer than ${formatUs(timeout)}`, {
        hint: 'raise `access.timeout`, or read fewer rows',
      });
    return withinLimit(step, { limitUs: timeout, error, signal });
  }
}
