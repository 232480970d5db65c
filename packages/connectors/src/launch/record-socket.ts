/**
 * A Unix socket for the records of a program on this machine, in a folder that only the user of the program can open.
 * The folder is removed as soon as this process has connected: a connection needs no name.
 */
import { rmSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { LaunchMarks } from './launcher.ts';

const pauseMs = 5;
/** Systems keep the path of a socket in about 104 bytes. */
const maxPathBytes = 100;
const prefix = 'topo-bench-';
const randomCharacters = 6;
const name = 'records';

/** @throws TopoBenchError `TB_CONNECTOR_SOCKETS` where this process cannot connect to such a socket */
export function requireUnixSockets(platform = process.platform, folder = tmpdir()): void {
  const hint = 'use a connector that sends JSON lines';
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
  /** Path on this machine. */
  readonly folder: string;
  readonly #removeAtExit = (): void => rmSync(this.folder, { recursive: true, force: true });

  private constructor(folder: string) {
    this.folder = folder;
    process.once('exit', this.#removeAtExit);
  }

  /**
   * @param user id of the user that the folder belongs to; default: that of this process. Only root gives it away.
   * @throws TopoBenchError as `requireUnixSockets`
   */
  static async create(user?: number): Promise<RecordSocket> {
    requireUnixSockets();
    const socket = new RecordSocket(await mkdtemp(join(tmpdir(), prefix)));
    try {
      if (user !== undefined && user !== process.getuid?.()) await chown(socket.folder, user, user);
      return socket;
    } catch (error) {
      await socket.remove();
      throw error;
    }
  }

  /**
   * Variables by which Airbyte's platform requests this channel.
   * @param folder path at which the program sees the folder
   */
  environmentAt(folder: string): Readonly<Record<string, string>> {
    return {
      DATA_CHANNEL_MEDIUM: 'SOCKET',
      DATA_CHANNEL_FORMAT: 'PROTOBUF',
      DATA_CHANNEL_SOCKET_PATHS: `${folder}/${name}`,
    };
  }

  /**
   * Connects once the program listens. Empty for a program that ends before.
   * @param marks of the program: its end is read, and its first byte noted
   */
  async *bytes(marks: LaunchMarks): AsyncGenerator<Uint8Array> {
    let socket: Socket | undefined;
    try {
      while (marks.endedMs === undefined && !socket) {
        socket = await connectedTo(join(this.folder, name));
        if (!socket) await sleep(pauseMs);
      }
    } finally {
      await this.remove();
    }
    for await (const chunk of socket ?? []) {
      marks.firstByteMs ??= performance.now();
      yield chunk;
    }
  }

  async remove(): Promise<void> {
    process.off('exit', this.#removeAtExit);
    await rm(this.folder, { recursive: true, force: true });
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
