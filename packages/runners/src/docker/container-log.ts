/** The log of a container, copied from the engine to the log file of its role while it runs. */
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@topo-bench/containers';
import type { RoleLog } from '../role-log.ts';

/** Time that the engine gets to send the last lines of a container that has ended. */
const lastLinesMs = 1000;

export class ContainerLog {
  /** Resolves when the container has ended, or the connection to its engine. */
  readonly ended: Promise<unknown>;
  readonly #source: NodeJS.ReadableStream & { destroy?(): void };

  /** Copies all output since the start of the container, or since a time. */
  static async follow(
    { client }: Engine,
    id: string,
    { path }: RoleLog,
    { sinceMs }: { sinceMs?: number } = {},
  ): Promise<ContainerLog> {
    const file = createWriteStream(path, { flags: 'a' });
    try {
      const since = sinceMs === undefined ? {} : { since: Math.floor(sinceMs / 1e3) };
      const options = { follow: true, stdout: true, stderr: true, ...since } as const;
      const source = await client.getContainer(id).logs(options);
      // Without a terminal the engine sends both streams as frames of one.
      client.modem.demuxStream(source, file, file);
      return new ContainerLog(source, file);
    } catch (error) {
      file.end();
      throw error;
    }
  }

  private constructor(source: NodeJS.ReadableStream, file: NodeJS.WritableStream) {
    this.#source = source;
    // A log that breaks off, on a full disk or with its engine, does not end a run.
    file.on('error', () => undefined);
    this.ended = finished(source, { writable: false })
      .catch(() => undefined)
      .then(() => {
        file.end();
        return finished(file).catch(() => undefined);
      });
  }

  /** Resolves when the last lines of a container that has ended are in the file. */
  async end(): Promise<void> {
    await Promise.race([this.ended, sleep(lastLinesMs, undefined, { ref: false })]);
    this.#source.destroy?.();
    await this.ended;
  }
}
