/**
 * The output of a container of a pod, over a WebSocket of the API server. Logs would need no connection of their own,
 * but kubelets rotate them at 10 MiB, and a fast program loses lines.
 */
import { PassThrough, Writable } from 'node:stream';
import type { ApiClient } from '@topo-bench/runners/kubernetes';
import { containerOfProgram, type PodName } from './pod-manifest.ts';

export interface AttachedOutput {
  output: AsyncIterable<Buffer>;
  errorLines(): readonly string[];
  /** Sends a line that the program waits for. */
  sendLine(): void;
  close(): void;
}

interface Connection {
  pause(): void;
  resume(): void;
  close(): void;
  on(event: 'close', listener: () => void): void;
}

const bufferBytes = 1024 * 1024;
const maxErrorLines = 20;

export async function attachOutput(api: ApiClient, { namespace, name }: PodName): Promise<AttachedOutput> {
  const { Attach } = await import('@kubernetes/client-node');
  let connection: Connection | undefined;
  // The library ignores the result of `write`: the connection is paused here instead.
  const output = new PassThrough({ highWaterMark: bufferBytes });
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!output.write(chunk)) connection?.pause();
      done();
    },
  });
  output.on('drain', () => connection?.resume());
  let errorText = '';
  const errors = new PassThrough();
  errors.on('data', (chunk: Buffer) => {
    errorText = (errorText + chunk).slice(-8192);
  });
  const input = new PassThrough();
  const attach = new Attach(api.config);
  connection = (await attach.attach(
    namespace,
    name,
    containerOfProgram,
    sink,
    errors,
    input,
    false,
  )) as never as Connection;
  connection.on('close', () => output.end());
  return {
    output,
    errorLines: () => errorText.split('\n').filter(Boolean).slice(-maxErrorLines),
    sendLine: () => void input.write('\n'),
    close: () => {
      connection?.close();
      output.destroy();
    },
  };
}
