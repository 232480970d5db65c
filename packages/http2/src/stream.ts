/** One stream of a connection: what waits to be sent, what may be sent and received, and which sides have said all. */
import type { FrameOutput } from './frame-output.ts';
import type { BodySink } from './frame-parser.ts';
import type { Headers } from './headers.ts';
import { errorCodes, frameFlags, frameTypes, maxWindowBytes, StreamFault } from './protocol.ts';
import { ReceiveWindow } from './receive-window.ts';
import { SendQueue } from './send-queue.ts';

/** Why a stream was over before both sides had said all. */
export interface StreamReset {
  /** Of HTTP/2. */
  code: number;
  /** The connection was lost, or never made. */
  connectionError?: Error;
  /** How the other side broke the rules, where this side ended the stream for it. */
  finding?: string;
}

/** What its user is told. Nothing is called after `onReset`. */
export interface StreamEvents {
  readonly sink: BodySink;
  /** Of a client's stream the answer's, then perhaps trailers; of a server's only trailers. */
  onHeaders: (headers: Headers) => void;
  /** The other side has said all. */
  onEnd: () => void;
  /** Some of what waited has gone. */
  onSent: () => void;
  /** By the other side, for a breach of the protocol or with the connection; not told of one's own `reset`. */
  onReset: (reset: StreamReset) => void;
}

/** What a stream asks of its connection. */
export interface StreamHost {
  readonly output: FrameOutput;
  /** There is something to send. */
  ready: (stream: Http2Stream) => void;
  sendHeaders: (streamId: number, headers: Headers, isEnd: boolean) => void;
  /** Nothing more will go; what still comes is no fault where this side has reset it. */
  closed: (stream: Http2Stream, hasReset: boolean) => void;
}

export class Http2Stream {
  /** 0 until it was opened. */
  id = 0;
  events: StreamEvents | undefined;
  /** That the other side lets this one send; known when the stream is opened. */
  sendWindow = 0;
  private readonly queue = new SendQueue();
  private trailers: Headers | undefined;
  private isEnding = false;
  private hasEnded = false;
  private hasPeerEnded = false;
  private isGone = false;
  private isHeld = false;
  private readonly receiveWindow: ReceiveWindow;
  /** By the content-length header; undefined without one. */
  private announcedBytes: number | undefined;
  private hasHeaders = false;

  /** @param windowBytes granted to the other side */
  constructor(
    private readonly host: StreamHost,
    windowBytes: number,
  ) {
    this.receiveWindow = new ReceiveWindow(windowBytes);
  }

  /** Bytes that wait to be sent. */
  get queuedBytes(): number {
    return this.queue.bytes;
  }

  /** Both sides have said all, or it was reset. */
  get isOver(): boolean {
    return this.isGone;
  }

  get isPeerDone(): boolean {
    return this.hasPeerEnded;
  }

  /** The other side's first headers are there. */
  get isAnswered(): boolean {
    return this.hasHeaders;
  }

  /** Nothing more is taken to be sent. */
  get isSendingOver(): boolean {
    return this.isEnding || this.isGone;
  }

  sendHeaders(headers: Headers): void {
    if (!this.isGone) this.host.sendHeaders(this.id, headers, false);
  }

  /** @param pieces are sent as they lie in memory, and so not to be changed any more */
  write(pieces: readonly Uint8Array[]): void {
    if (this.isSendingOver) return;
    this.queue.add(pieces);
    this.host.ready(this);
  }

  /** After what waits, this side has said all. */
  end(trailers?: Headers): void {
    if (this.isSendingOver) return;
    this.isEnding = true;
    this.trailers = trailers;
    this.host.ready(this);
  }

  /** Ends both directions at once; what waits is dropped. */
  reset(code: number): void {
    if (this.isGone) return;
    if (this.id > 0) this.host.output.number(frameTypes.resetStream, this.id, code);
    this.leave(true);
  }

  /** While it holds, the other side may send no more than its window. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (!isHeld) this.grant();
  }

  /** Writes a DATA frame of at most `maxBytes`. @returns bytes that it counts */
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

  /** Nothing waits any more: says so, if this side has said all. */
  finishSending(): void {
    if (!this.isEnding || this.isGone) return;
    if (!this.hasEnded) {
      this.hasEnded = true;
      if (this.trailers) this.host.sendHeaders(this.id, this.trailers, true);
      else this.host.output.header(frameTypes.data, frameFlags.endStream, this.id, 0);
    }
    if (this.hasPeerEnded) this.leave(false);
    else if (this.trailers) this.reset(errorCodes.noError); // An answer with trailers is whole; what its caller still sends is of no use.
  }

  /** @throws StreamFault when the window does not allow it */
  openWindow(bytes: number): void {
    this.sendWindow += bytes;
    if (this.sendWindow > maxWindowBytes) {
      throw new StreamFault(this.id, errorCodes.flowControlError, 'the window is beyond 2^31 - 1 bytes');
    }
    if (this.queuedBytes > 0) this.host.ready(this);
  }

  /** The other side's first headers: they may say how much comes. */
  expect(headers: Headers): void {
    this.hasHeaders = true;
    const announced = headers['content-length'];
    if (announced !== undefined) this.announcedBytes = Number(announced);
  }

  takeHeaders(headers: Headers): void {
    if (!this.hasHeaders) this.expect(headers);
    this.events?.onHeaders(headers);
  }

  /** @param bytes as flow control counts them. @throws StreamFault when they are more than granted, or come after the end */
  beginData(bytes: number): BodySink | undefined {
    if (this.hasPeerEnded) throw new StreamFault(this.id, errorCodes.streamClosed, 'data after the end of the stream');
    if (!this.hasHeaders) throw new StreamFault(this.id, errorCodes.protocolError, 'data before headers');
    if (!this.receiveWindow.take(bytes)) {
      throw new StreamFault(this.id, errorCodes.flowControlError, 'more data than the window allows');
    }
    return this.events?.sink;
  }

  /** @param contentBytes of the frame that ends here. @throws StreamFault when there are more than announced */
  endData(contentBytes: number): void {
    if (this.announcedBytes !== undefined) {
      this.announcedBytes -= contentBytes;
      if (this.announcedBytes < 0) throw this.wrongLength();
    }
    if (!this.isHeld) this.grant();
  }

  /** @throws StreamFault when less came than announced */
  takeEnd(): void {
    if (this.announcedBytes !== undefined && this.announcedBytes !== 0) throw this.wrongLength();
    this.hasPeerEnded = true;
    if (this.hasEnded) this.leave(false);
    this.events?.onEnd();
  }

  /** The other side, or the connection, has ended it. */
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
