/**
 * A Unix socket for the records of a child process, in a folder that only this user can open. The folder is removed as
 * soon as this process has connected: a connection needs no name.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';

const pauseMs = 5;
/** Systems keep the path of a socket in about 104 bytes. */
const maxPathBytes = 100;
const prefix = 'topo-bench-';
const randomCharacters = 6;
const name = 'records';

/** @throws TopoBenchError `TB_CONNECTOR_SOCKETS` where child processes cannot have such a socket */
export function requireProcessSockets(platform = process.platform, folder = tmpdir()): void {
  const hint = 'use connector-process, which sends JSON lines';
  if (platform === 'win32') {
    throw new TopoBenchError('TB_CONNECTOR_SOCKETS', 'Node.js has no Unix sockets on Windows', { hint });
  }
  const path = join(folder, prefix + 'x'.repeat(randomCharacters), name);
  if (Buffer.byteLength(path) <= maxPathBytes) return;
  throw new TopoBenchError(
    'TB_CONNECTOR_SOCKETS',
    `the path of a socket in ${folder} is too long: got ${Buffer.byteLength(path)} bytes, expected ${maxPathBytes} or fewer`,
    { hint: `set TMPDIR to a folder with a shorter path, or ${hint}` },
  );
}

export class RecordSocket {
  readonly #folder: string;
  readonly #removeAtExit = (): void => rmSync(this.#folder, { recursive: true, force: true });

  private constructor(folder: string) {
    this.#folder = folder;
    process.once('exit', this.#removeAtExit);
  }

  /** @throws TopoBenchError as `requireProcessSockets` */
  static async create(): Promise<RecordSocket> {
    requireProcessSockets();
    return new RecordSocket(await mkdtemp(join(tmpdir(), prefix)));
  }

  /** Variables by which Airbyte's platform requests this channel. */
  get environment(): Readonly<Record<string, string>> {
    return {
      DATA_CHANNEL_MEDIUM: 'SOCKET',
      DATA_CHANNEL_FORMAT: 'PROTOBUF',
      DATA_CHANNEL_SOCKET_PATHS: this.#path,
    };
  }

  /**
   * Connects once the program listens. Empty for a program that ends before.
   * @param isOver whether the program has ended
   */
  async *bytes(isOver: () => boolean): AsyncGenerator<Uint8Array> {
    let socket: Socket | undefined;
    try {
      while (!isOver() && !socket) {
        socket = await connectedTo(this.#path);
        if (!socket) await sleep(pauseMs);
      }
    } finally {
      await this.remove();
    }
    if (socket) yield* socket;
  }

  async remove(): Promise<void> {
    process.off('exit', this.#removeAtExit);
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #path(): string {
    return join(this.#folder, name);
  }
}

/** Undefined while nothing listens. */
function connectedTo(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const failed = (): void => resolve(undefined);
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}
