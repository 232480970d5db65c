/**
 * Airbyte's faster data channel: records and states as length-delimited protobuf messages over Unix domain sockets. The
 * connector listens at paths that the platform names, and the destination connects.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { TopoBenchError } from '@topo-bench/core';
import type { Row } from '@topo-bench/sources';
import type { Field } from 'apache-arrow';
import type { AirbyteMessage, StreamDescriptor } from '../protocol/messages.ts';
import { envelopeFields as message } from '../schema/protobuf-fields.ts';
import { recordEncoder } from '../schema/protobuf-row.ts';
import { ProtobufWriter } from '../schema/protobuf-writer.ts';

const connectsWithinMs = 60_000;
const chunkBytes = 64 * 1024;

export class SocketChannel {
  readonly #servers: readonly Server[];
  /** Paths that this channel has created. */
  readonly #created = new Set<string>();
  readonly #writer = new ProtobufWriter();
  #sockets: Socket[] = [];
  #next = 0;
  #failed: Promise<never> | undefined;

  private constructor(servers: readonly Server[]) {
    this.#servers = servers;
  }

  /**
   * Resolves when a reader has connected to each path.
   * @throws TopoBenchError `TB_CONNECTOR_FAILED` without a reader within a minute
   */
  static async open(paths: readonly string[], withinMs = connectsWithinMs): Promise<SocketChannel> {
    const channel = new SocketChannel(paths.map(() => createServer({ allowHalfOpen: true })));
    const signal = AbortSignal.timeout(withinMs);
    process.once('exit', channel.#removeFiles);
    try {
      channel.#sockets = await Promise.all(
        channel.#servers.map((server, index) => channel.#accepted(server, paths[index] as string, signal)),
      );
    } catch (error) {
      channel.#close();
      if (!signal.aborted) throw error;
      throw new TopoBenchError('TB_CONNECTOR_FAILED', `no reader connected to ${paths.join(', ')} within a minute`, {
        hint: 'DATA_CHANNEL_SOCKET_PATHS must name sockets that the destination also has',
      });
    }
    channel.#failed = Promise.race(channel.#sockets.map(failureOf));
    channel.#failed.catch(() => undefined);
    return channel;
  }

  get isFull(): boolean {
    return this.#writer.length >= chunkBytes;
  }

  /** @returns writes a record; `flush` sends it */
  records(stream: StreamDescriptor, fields: readonly Field[], properties: readonly string[]): (row: Row) => void {
    const write = recordEncoder(stream, fields, properties);
    return (row) => write(this.#writer, row);
  }

  /** Messages other than records are JSON in an envelope. */
  message(value: AirbyteMessage): void {
    this.#writer.delimited(() => this.#writer.text(message.json, JSON.stringify(value)));
  }

  /** Sends whole messages over the sockets in turn; resolves when the reader has room for more. */
  async flush(): Promise<void> {
    if (this.#writer.length === 0) return;
    const socket = this.#sockets[this.#next++ % this.#sockets.length] as Socket;
    if (!socket.write(this.#writer.take())) await Promise.race([once(socket, 'drain'), this.#failed]);
  }

  /** Sends the rest. Resolves when the readers have closed. */
  async end(): Promise<void> {
    await this.flush();
    const closed = this.#sockets.map(async (socket) => {
      socket.end();
      if (!socket.closed) await once(socket, 'close');
    });
    await Promise.race([Promise.all(closed), this.#failed]);
    this.#close();
  }

  async abort(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#close();
  }

  async #accepted(server: Server, path: string, signal: AbortSignal): Promise<Socket> {
    // The socket of an earlier read may still be there; no other file is removed.
    if ((await lstat(path).catch(() => undefined))?.isSocket()) await rm(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    this.#created.add(path);
    const [socket] = (await once(server, 'connection', { signal })) as [Socket];
    return socket.resume();
  }

  #close(): void {
    for (const server of this.#servers) server.close();
    this.#removeFiles();
    process.off('exit', this.#removeFiles);
  }

  /** Also called when a signal ends the process. */
  readonly #removeFiles = (): void => {
    for (const path of this.#created) rmSync(path, { force: true });
  };
}

async function failureOf(socket: Socket): Promise<never> {
  const [cause] = (await new Promise<[unknown]>((resolve) => {
    socket.once('error', (error) => resolve([error]));
    socket.once('close', () => {
      if (!socket.writableFinished) resolve([new Error('the reader closed its socket')]);
    });
  })) as [Error];
  throw new TopoBenchError('TB_CONNECTOR_FAILED', `a reader of the socket is gone: ${cause.message}`, { cause });
}
