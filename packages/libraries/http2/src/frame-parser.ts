/**
 * Splits the input of a connection into frames. DATA frames are never buffered: their bytes are passed on as they
 * arrive, or are read straight into their final memory. All other frames are passed on whole.
 */
import { ConnectionFault, clientPreface, errorCodes, frameFlags, frameHeaderBytes, frameTypes } from './protocol.ts';

/** Receives the content of DATA frames. */
export interface BodySink {
  /** Must copy what it keeps: the memory of `chunk` is reused. */
  take(chunk: Uint8Array): void;
  /** Memory for the next bytes, of which at least `maxBytes` follow; undefined to receive them through `take`. */
  space(maxBytes: number): Uint8Array | undefined;
  /** The first `bytes` of the last `space` were filled. */
  filled(bytes: number): void;
}

export interface FrameReceiver {
  /** A whole frame that is not DATA. `payload` is valid during the call only. */
  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void;
  /** @param length of the payload with padding, as flow control counts it; @returns undefined to drop the content */
  onDataBegin(flags: number, streamId: number, length: number): BodySink | undefined;
  /** The current DATA frame is complete; `contentBytes` of it were not padding. */
  onDataEnd(contentBytes: number): void;
}

/** Limit of frames that are buffered whole. */
const maxGatheredBytes = 65_536;
/** Min size of a direct read; below it, a system call costs more than the copy. */
const minDirectBytes = 32_768;

export class FrameParser {
  private readonly header = Buffer.alloc(frameHeaderBytes);
  private headerFilled = 0;
  /** Bytes of the client's preface still expected. */
  private prefaceLeft: number;
  private type = 0;
  private flags = 0;
  private streamId = 0;
  /** A frame that has arrived in part. */
  private gathered: Buffer | undefined;
  private gatheredFilled = 0;
  private sink: BodySink | undefined;
  private bodyLeft = 0;
  /** Bytes to drop: padding, and frames of unknown types. */
  private skipLeft = 0;
  private isPadLengthNext = false;
  private isInData = false;
  private contentBytes = 0;

  /** @param maxFrameBytes the SETTINGS_MAX_FRAME_SIZE that was announced */
  constructor(
    private readonly receiver: FrameReceiver,
    private readonly maxFrameBytes: number,
    expectsPreface: boolean,
  ) {
    this.prefaceLeft = expectsPreface ? clientPreface.length : 0;
  }

  get hasPreface(): boolean {
    return this.prefaceLeft === 0;
  }

  /** @throws ConnectionFault, also from the receiver; the connection cannot continue after it */
  push(chunk: Buffer): void {
    let at = this.prefaceLeft > 0 ? this.takePreface(chunk) : 0;
    while (at < chunk.length) {
      if (this.gathered) at = this.gather(this.gathered, chunk, at);
      else if (this.isPadLengthNext) at = this.takePadLength(chunk, at);
      else if (this.bodyLeft > 0) at = this.takeBody(chunk, at);
      else if (this.skipLeft > 0) at = this.skip(chunk, at);
      else at = this.takeHeader(chunk, at);
    }
  }

  /** Memory for the next read, when it is known to be content; undefined to use `push`. */
  space(): Uint8Array | undefined {
    if (this.bodyLeft < minDirectBytes || this.isPadLengthNext) return undefined;
    const space = this.sink?.space(this.bodyLeft);
    return space && space.length >= minDirectBytes ? space : undefined;
  }

  /** `bytes` were read into the last `space`. */
  filled(bytes: number): void {
    this.sink?.filled(bytes);
    this.bodyLeft -= bytes;
    this.endDataIfDone();
  }

  private takePreface(chunk: Buffer): number {
    const from = clientPreface.length - this.prefaceLeft;
    const taken = Math.min(this.prefaceLeft, chunk.length);
    if (clientPreface.compare(chunk, 0, taken, from, from + taken) !== 0) {
      throw new ConnectionFault(errorCodes.protocolError, 'the connection does not begin as one of HTTP/2');
    }
    this.prefaceLeft -= taken;
    return taken;
  }

  private takeHeader(chunk: Buffer, from: number): number {
    const taken = Math.min(frameHeaderBytes - this.headerFilled, chunk.length - from);
    chunk.copy(this.header, this.headerFilled, from, from + taken);
    this.headerFilled += taken;
    const at = from + taken;
    if (this.headerFilled < frameHeaderBytes) return at;
    this.headerFilled = 0;
    if (this.header.toString('latin1', 0, 5) === 'HTTP/') {
      throw new ConnectionFault(errorCodes.protocolError, 'the other side answers as HTTP/1');
    }
    const length = this.header.readUIntBE(0, 3);
    this.type = this.header[3] as number;
    this.flags = this.header[4] as number;
    this.streamId = this.header.readUInt32BE(5) & 0x7fff_ffff;
    if (length > this.maxFrameBytes) {
      throw new ConnectionFault(
        errorCodes.frameSizeError,
        `a frame of ${length} bytes, at most ${this.maxFrameBytes} were granted`,
      );
    }
    if (this.type === frameTypes.data) this.beginData(length);
    else if (this.type > frameTypes.continuation) this.beginUnknown(length);
    else return this.beginWhole(chunk, at, length);
    return at;
  }

  private beginWhole(chunk: Buffer, at: number, length: number): number {
    if (length > maxGatheredBytes) {
      throw new ConnectionFault(errorCodes.frameSizeError, `a frame of ${length} bytes that carries no data`);
    }
    const end = at + length;
    if (end > chunk.length) {
      this.gathered = Buffer.allocUnsafe(length);
      this.gatheredFilled = 0;
      return at;
    }
    this.receiver.onFrame(this.type, this.flags, this.streamId, chunk.subarray(at, end));
    return end;
  }

  /** Dropped, but reported: it must not interrupt a header block. */
  private beginUnknown(length: number): void {
    this.receiver.onFrame(this.type, this.flags, this.streamId, Buffer.alloc(0));
    this.skipLeft = length;
  }

  private gather(frame: Buffer, chunk: Buffer, from: number): number {
    const taken = chunk.copy(frame, this.gatheredFilled, from);
    this.gatheredFilled += taken;
    if (this.gatheredFilled === frame.length) {
      this.gathered = undefined;
      this.receiver.onFrame(this.type, this.flags, this.streamId, frame);
    }
    return from + taken;
  }

  private beginData(length: number): void {
    this.isInData = true;
    this.sink = this.receiver.onDataBegin(this.flags, this.streamId, length);
    this.isPadLengthNext = (this.flags & frameFlags.padded) !== 0;
    if (this.isPadLengthNext && length === 0)
      throw new ConnectionFault(errorCodes.frameSizeError, 'padding without its length');
    this.bodyLeft = length;
    this.contentBytes = length;
    this.endDataIfDone();
  }

  private takePadLength(chunk: Buffer, at: number): number {
    const padding = chunk[at] as number;
    if (padding >= this.bodyLeft)
      throw new ConnectionFault(errorCodes.protocolError, 'a frame has more padding than content');
    this.isPadLengthNext = false;
    this.bodyLeft -= 1 + padding;
    this.skipLeft = padding;
    this.contentBytes = this.bodyLeft;
    this.endDataIfDone();
    return at + 1;
  }

  private takeBody(chunk: Buffer, from: number): number {
    const taken = Math.min(this.bodyLeft, chunk.length - from);
    this.sink?.take(chunk.subarray(from, from + taken));
    this.bodyLeft -= taken;
    this.endDataIfDone();
    return from + taken;
  }

  private skip(chunk: Buffer, from: number): number {
    const taken = Math.min(this.skipLeft, chunk.length - from);
    this.skipLeft -= taken;
    this.endDataIfDone();
    return from + taken;
  }

  private endDataIfDone(): void {
    if (!this.isInData || this.bodyLeft > 0 || this.skipLeft > 0) return;
    this.isInData = false;
    this.sink = undefined;
    this.receiver.onDataEnd(this.contentBytes);
  }
}
