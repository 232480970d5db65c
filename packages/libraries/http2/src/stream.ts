/** One stream of a connection: its send queue, its windows, and which sides have ended. */
import type { FrameOutput } from './frame-output.ts';
import type { BodySink } from './frame-parser.ts';
import type { Headers } from './headers.ts';
import { errorCodes, frameFlags, frameTypes, maxWindowBytes, StreamFault } from './protocol.ts';
import { ReceiveWindow } from './receive-window.ts';
import { SendQueue } from './send-queue.ts';

/** Why a stream ended before both sides had finished. */
export interface StreamReset {
  /** HTTP/2 error code. */
  code: number;
  /** The connection was lost, or could not be established. */
  connectionError?: Error;
  /** The protocol violation of the peer, when this side has reset the stream for it. */
  finding?: string;
}

/** Callbacks of a stream. None is called after `onReset`. */
export interface StreamEvents {
  readonly sink: BodySink;
  /** On a client response headers, then optional trailers; on a server trailers only. */
  onHeaders: (headers: Headers) => void;
  /** The peer has ended its side. */
  onEnd: () => void;
  /** Queued bytes have been sent. */
  onSent: () => void;
  /** Reset by the peer, for a violation, or with the connection; not called for an own `reset`. */
  onReset: (reset: StreamReset) => void;
}

/** The connection as its streams see it. */
export interface StreamHost {
  readonly output: FrameOutput;
  /** The stream has something to send. */
  ready: (stream: Http2Stream) => void;
  sendHeaders: (streamId: number, headers: Headers, isEnd: boolean) => void;
  /** The stream has ended. After an own reset, later frames of the peer are not a violation. */
  closed: (stream: Http2Stream, hasReset: boolean) => void;
}

export class Http2Stream {
  /** 0 until the stream is opened. */
  id = 0;
  events: StreamEvents | undefined;
  /** Bytes that the peer allows; known when the stream is opened. */
  sendWindow = 0;
  private readonly queue = new SendQueue();
  private trailers: Headers | undefined;
  private isEnding = false;
  private hasEnded = false;
  private hasPeerEnded = false;
  private isGone = false;
  private isHeld = false;
  private readonly receiveWindow: ReceiveWindow;
  /** Remaining bytes by the content-length header; undefined without one. */
  private announcedBytes: number | undefined;
  private hasHeaders = false;

  /** @param windowBytes receive window granted to the peer */
  constructor(
    private readonly host: StreamHost,
    windowBytes: number,
  ) {
    this.receiveWindow = new ReceiveWindow(windowBytes);
  }

  /** Bytes queued to send. */
  get queuedBytes(): number {
    return this.queue.bytes;
  }

  /** Both sides have ended, or the stream was reset. */
  get isOver(): boolean {
    return this.isGone;
  }

  get isPeerDone(): boolean {
    return this.hasPeerEnded;
  }

  /** The first headers of the peer have arrived. */
  get isAnswered(): boolean {
    return this.hasHeaders;
  }

  /** `end` or `reset` was called: later writes are ignored. */
  get isSendingOver(): boolean {
    return this.isEnding || this.isGone;
  }

  sendHeaders(headers: Headers): void {
    if (!this.isGone) this.host.sendHeaders(this.id, headers, false);
  }

  /**
   * @param pieces sent without copying: they must not change until `onWritten` is called
   * @param onWritten called when the system has taken all bytes of the pieces; never if the stream or the connection
   * ends before
   */
  write(pieces: readonly Uint8Array[], onWritten?: () => void): void {
    if (this.isSendingOver) return;
    this.queue.add(pieces, onWritten);
    this.host.ready(this);
  }

  /** Ends this side after the queued bytes. */
  end(trailers?: Headers): void {
    if (this.isSendingOver) return;
    this.isEnding = true;
    this.trailers = trailers;
    this.host.ready(this);
  }

  /** Ends both directions at once and drops queued bytes. */
  reset(code: number): void {
    if (this.isGone) return;
    if (this.id > 0) this.host.output.number(frameTypes.resetStream, this.id, code);
    this.leave(true);
  }

  /** While held, the receive window is not reopened: back-pressure on the peer. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (!isHeld) this.grant();
  }

  /** Writes a DATA frame of at most `maxBytes`. @returns bytes that count against the windows */
  writeData(maxBytes: number): number {
    const bytes = Math.min(maxBytes, this.queue.bytes, this.sendWindow);
    const isLast = this.isEnding && bytes === this.queue.bytes && !this.trailers;
    this.host.output.header(frameTypes.data, isLast ? frameFlags.endStream : 0, this.id, bytes);
    this.queue.writeTo(this.host.output, bytes);
    this.sendWindow -= bytes;
    if (isLast) this.hasEnded = true;
    this.events?.onSent();
    return bytes;
  }

  /** Called when the queue is empty: ends this side if `end` was called. */
  finishSending(): void {
    if (!this.isEnding || this.isGone) return;
    if (!this.hasEnded) {
      this.hasEnded = true;
      if (this.trailers) this.host.sendHeaders(this.id, this.trailers, true);
      else this.host.output.header(frameTypes.data, frameFlags.endStream, this.id, 0);
    }
    if (this.hasPeerEnded) this.leave(false);
    else if (this.trailers) this.reset(errorCodes.noError); // The response is complete; the rest of the request is of no use.
  }

  /** @throws StreamFault when the window exceeds 2^31 − 1 bytes */
  openWindow(bytes: number): void {
    this.sendWindow += bytes;
    if (this.sendWindow > maxWindowBytes) {
      throw new StreamFault(this.id, errorCodes.flowControlError, 'the window is beyond 2^31 - 1 bytes');
    }
    if (this.queuedBytes > 0) this.host.ready(this);
  }

  /** First headers of the peer, with an optional content-length. */
  expect(headers: Headers): void {
    this.hasHeaders = true;
    const announced = headers['content-length'];
    if (announced !== undefined) this.announcedBytes = Number(announced);
  }

  takeHeaders(headers: Headers): void {
    if (!this.hasHeaders) this.expect(headers);
    this.events?.onHeaders(headers);
  }

  /** @param bytes with padding, as flow control counts them. @throws StreamFault beyond the window or after the end */
  beginData(bytes: number): BodySink | undefined {
    if (this.hasPeerEnded) throw new StreamFault(this.id, errorCodes.streamClosed, 'data after the end of the stream');
    if (!this.hasHeaders) throw new StreamFault(this.id, errorCodes.protocolError, 'data before headers');
    if (!this.receiveWindow.take(bytes)) {
      throw new StreamFault(this.id, errorCodes.flowControlError, 'more data than the window allows');
    }
    return this.events?.sink;
  }

  /** @param contentBytes of the frame that ends. @throws StreamFault when the content exceeds content-length */
  endData(contentBytes: number): void {
    if (this.announcedBytes !== undefined) {
      this.announcedBytes -= contentBytes;
      if (this.announcedBytes < 0) throw this.wrongLength();
    }
    if (!this.isHeld) this.grant();
  }

  /** @throws StreamFault when the content is shorter than content-length */
  takeEnd(): void {
    if (this.announcedBytes !== undefined && this.announcedBytes !== 0) throw this.wrongLength();
    this.hasPeerEnded = true;
    if (this.hasEnded) this.leave(false);
    this.events?.onEnd();
  }

  /** The peer or the connection has ended the stream. */
  takeReset(reset: StreamReset): void {
    if (this.isGone) return;
    this.leave(false);
    this.events?.onReset(reset);
  }

  private grant(): void {
    if (this.isGone || this.hasPeerEnded) return;
    const bytes = this.receiveWindow.refill();
    if (bytes > 0) this.host.output.windowUpdate(this.id, bytes);
  }

  private leave(hasReset: boolean): void {
    this.isGone = true;
    this.queue.clear();
    this.host.closed(this, hasReset);
  }

  private wrongLength(): StreamFault {
    return new StreamFault(this.id, errorCodes.protocolError, 'the content is not as long as announced');
  }
}
