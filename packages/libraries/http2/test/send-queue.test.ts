import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FrameOutput } from '../src/frame-output.ts';
import { SendQueue } from '../src/send-queue.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const pieceBytes = 100_000;

/** Sends all but the last piece. */
function sendFrom(queue: SendQueue, pieces: number): WeakRef<Uint8Array>[] {
  const output = new FrameOutput(new Socket().destroy(), () => {});
  const added = Array.from({ length: pieces }, () => new Uint8Array(pieceBytes));
  queue.add(added);
  for (let i = 0; i < pieces - 1; i++) queue.writeTo(output, pieceBytes);
  output.flush();
  return added.map((piece) => new WeakRef(piece));
}

it('sent buffers are not kept while there is more to send', async () => {
  const queue = new SendQueue();
  const pieces = sendFrom(queue, 50);
  await turn();
  collect();
  expect(pieces.filter((piece) => piece.deref())).toHaveLength(1);
  expect(queue.bytes).toBe(pieceBytes);
});
