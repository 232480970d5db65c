/** A client as the run sees it: a child process that prepares a read, performs it, and ends. */
import { ownScript } from '@topo-bench/host';
import { AskedChild } from '@topo-bench/study-kit/child/asked-child';
import type { ClientJob, FromClient, ReadOutcome, ToClient } from './messages.ts';

export class ClientProcess {
  readonly #child = new AskedChild<ToClient, FromClient>({
    name: 'the client',
    script: ownScript('access-client.js', new URL('./client-entry.ts', import.meta.url)),
    code: 'TB_ACCESS_CLIENT',
    // Long enough to remove a container or a pod.
    graceMs: 30_000,
  });

  /** Opens and warms up everything that is not part of the read. @returns resident memory of the client in bytes */
  async prepare(job: ClientJob): Promise<number> {
    return (await this.#child.ask({ kind: 'prepare', job }, 'ready')).idleRssBytes;
  }

  /** @throws TopoBenchError the failure of the read */
  async read(): Promise<ReadOutcome> {
    return (await this.#child.ask({ kind: 'read' }, 'read')).outcome;
  }

  /** Ends the client with all that it has started. May be called again. */
  async stop(): Promise<void> {
    await this.#child.stop();
  }
}
