/** Bytes queued on a stream, kept as the pieces that the caller wrote. */
import type { FrameOutput } from './frame-output.ts';

/** Slots of sent pieces are removed in lots: each removal costs in proportion to the remaining pieces. */
const lot = 1024;
/** Replaces a sent piece, so that its memory can be collected. */
const gone = new Uint8Array(0);

export class SendQueue {
  /** A function is a callback for the end of the pieces before it. */
  private pieces: (Uint8Array | (() => void))[] = [];
  private first = 0;
  private sentOfFirst = 0;
  bytes = 0;

  /** @param onWritten called when the system has taken all bytes; never if they are dropped */
  add(pieces: readonly Uint8Array[], onWritten?: () => void): void {
    for (const piece of pieces) {
      if (piece.length === 0) continue;
      this.pieces.push(piece);
      this.bytes += piece.length;
    }
    if (onWritten) this.pieces.push(onWritten);
  }

  /** Writes the first `bytes`; at most as many as are queued. */
  writeTo(output: FrameOutput, bytes: number): void {
    this.bytes -= bytes;
    for (let left = bytes; left > 0; ) {
      this.passCallbacks(output);
      const piece = this.pieces[this.first] as Uint8Array;
      const to = Math.min(piece.length, this.sentOfFirst + left);
      output.bytes(this.sentOfFirst === 0 && to === piece.length ? piece : piece.subarray(this.sentOfFirst, to));
      left -= to - this.sentOfFirst;
      this.sentOfFirst = to;
      if (to < piece.length) break;
      this.pieces[this.first++] = gone;
      this.sentOfFirst = 0;
    }
    if (this.sentOfFirst === 0) this.passCallbacks(output);
    this.tidy();
  }

  clear(): void {
    this.pieces = [];
    this.first = 0;
    this.sentOfFirst = 0;
    this.bytes = 0;
  }

  private passCallbacks(output: FrameOutput): void {
    for (let next = this.pieces[this.first]; typeof next === 'function'; next = this.pieces[this.first]) {
      output.afterWrite(next);
      this.pieces[this.first++] = gone;
    }
  }

  private tidy(): void {
    if (this.bytes > 0 && this.first < lot) return;
    this.pieces = this.pieces.slice(this.first);
    this.first = 0;
  }
}
