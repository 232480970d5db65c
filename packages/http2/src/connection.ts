/**
 * A connection of HTTP/2 (RFC 9113), either side of it: frames in and out, settings, windows, and the streams that share them. Made for
 * calls that move bulk: what comes is read to where it belongs, what goes is sent as it lies in memory, in frames as large as the other
 * side takes. Without priorities and server push, which calls do not use.
 */
import type { Socket } from 'node:net';
import { type GoAway, writeGoAway, writeSettings } from './control-frames.ts';
import { DataSender } from './data-sender.ts';
import { FrameOutput } from './frame-output.ts';
import { FrameParser } from './frame-parser.ts';
import { type Headers, listHeaders } from './headers.ts';
import { encodeHeaders, noTable } from './hpack/encoder.ts';
import { type FrameHost, IncomingFrames } from './incoming-frames.ts';
import {
  ConnectionFault,
  clientPreface,
  defaultWindowBytes,
  errorCodes,
  frameFlags,
  frameTypes,
  StreamFault,
} from './protocol.ts';
import { Http2Stream, type StreamHost } from './stream.ts';
import { StreamTable } from './stream-table.ts';

export interface ConnectionOptions {
  /** That the other side may send before it was taken: per stream, and of all streams together. */
  streamWindowBytes: number;
  connectionWindowBytes: number;
  /** Of a header block, and of the list in it. */
  mostHeaderBytes: number;
  /** Streams that a client may have open at a time. */
  mostConcurrentStreams?: number;
  /** A server takes the streams that its client opens. */
  onStream?: (stream: Http2Stream, headers: Headers) => void;
  /** Once, when the connection is gone; streams have been told. */
  onClose?: () => void;
}

/** DATA frames are accepted up to this size: large ones can be read straight into place. */
const mostFrameBytes = 4 * 1024 ** 2;
/** A client asks for no more streams before it knows how many are welcome. */
const streamsBeforeSettings = 100;
/** In which the other side must have taken what was said last. */
const lingerMs = 1000;
/** In which a client must have begun as one of HTTP/2. */
const prefaceMs = 10_000;

export class Http2Connection implements FrameHost, StreamHost {
  readonly isServer: boolean;
  readonly output: FrameOutput;
  readonly sender: DataSender;
  readonly streams: StreamTable;
  private readonly incoming: IncomingFrames;
  private readonly parser: FrameParser;
  /** Of a client, beyond what its server takes at a time. */
  private unopened: { stream: Http2Stream; headers: Headers }[] = [];
  private hasSentHeaders = false;
  private isClosing = false;
  /** Nothing that comes is looked at any more. */
  private isDeaf = false;
  private ignoredBytes = 0;
  private isGone = false;
  private error: Error | undefined;

  /** Says hello at once, also while the socket still connects. Give what comes to `receive`, or read into `space`. */
  constructor(
    readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    const { onStream, mostHeaderBytes, connectionWindowBytes } = options;
    this.isServer = onStream !== undefined;
    this.output = new FrameOutput(socket, () => this.sender.pump());
    this.sender = new DataSender(this.output);
    this.streams = new StreamTable(this.isServer);
    this.incoming = new IncomingFrames(this, mostHeaderBytes, connectionWindowBytes);
    this.parser = new FrameParser(this.incoming, mostFrameBytes, this.isServer);
    this.hello();
    socket.on('drain', () => this.output.schedule());
    socket.on('end', () => this.destroy());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.gone());
    if (this.isServer) this.expectPreface();
  }

  /** Whether new streams may be opened. */
  get isUsable(): boolean {
    return !this.isClosing && !this.isDeaf && this.streams.hasNumbers;
  }

  /** Opens a stream of a client. @throws RangeError for headers that cannot be sent */
  open(headers: Headers): Http2Stream {
    listHeaders(headers); // To fail here, and not when it is its turn.
    const stream = new Http2Stream(this, this.options.streamWindowBytes);
    this.unopened.push({ stream, headers });
    this.openWaiting();
    return stream;
  }

  /** Opens no more streams, and ends when those that are open are over. */
  close(): void {
    if (this.isClosing || this.isGone) return;
    this.isClosing = true;
    // A client says so in the end: once they know, servers refuse what it has still to open.
    if (this.isServer) this.goAway(errorCodes.noError, '');
    this.endIfDone();
  }

  /** Ends everything now. */
  destroy(error?: Error): void {
    this.error ??= error;
    this.isDeaf = true;
    this.socket.destroy();
    this.loseStreams();
  }

  /** Takes bytes that came; keeps none of them. */
  receive(chunk: Buffer): void {
    if (this.isDeaf) this.ignore(chunk.length);
    else this.guard(() => this.parser.push(chunk));
  }

  /** Where to read to instead, if what comes next is known; tell `filled` then. */
  space(): Uint8Array | undefined {
    return this.isDeaf ? undefined : this.parser.space();
  }

  filled(bytes: number): void {
    this.guard(() => this.parser.filled(bytes));
  }

  // What streams ask for.

  ready(stream: Http2Stream): void {
    if (stream.id > 0) this.sender.add(stream);
  }

  sendHeaders(streamId: number, headers: Headers, isEnd: boolean): void {
    const fields = encodeHeaders(listHeaders(headers));
    const block = this.hasSentHeaders ? fields : Buffer.concat([noTable, fields]);
    this.hasSentHeaders = true;
    const most = this.incoming.peer.mostFrameBytes;
    let type: number = frameTypes.headers;
    for (let at = 0; at === 0 || at < block.length; at += most) {
      const endHeaders = at + most >= block.length ? frameFlags.endHeaders : 0;
      const endStream = isEnd && type === frameTypes.headers ? frameFlags.endStream : 0;
      this.output.frame(type, endHeaders | endStream, streamId, block.subarray(at, at + most));
      type = frameTypes.continuation;
    }
  }

  closed(stream: Http2Stream, isReset: boolean): void {
    if (stream.id === 0) this.unopened = this.unopened.filter((waiting) => waiting.stream !== stream);
    else this.streams.remove(stream.id);
    if (isReset && stream.id > 0) this.streams.markReset(stream.id);
    this.openWaiting();
    this.endIfDone();
  }

  // What frames of the other side lead to.

  onOpened(streamId: number, headers: Headers): Http2Stream {
    const { onStream, streamWindowBytes, mostConcurrentStreams = Number.POSITIVE_INFINITY } = this.options;
    if (this.isClosing || this.streams.size >= mostConcurrentStreams) {
      throw new StreamFault(streamId, errorCodes.refusedStream, 'takes no more streams now');
    }
    const stream = new Http2Stream(this, streamWindowBytes);
    stream.sendWindow = this.incoming.peer.initialWindowBytes;
    this.streams.welcome(stream, streamId);
    stream.expect(headers);
    onStream?.(stream, headers);
    return stream;
  }

  onSettings(): void {
    this.openWaiting();
  }

  onGoAway({ lastId, code, text }: GoAway): void {
    const error = new Error(`the other side ended the connection with HTTP/2 code ${code}${text ? `: ${text}` : ''}`);
    if (code !== errorCodes.noError) this.error ??= error;
    this.isClosing = true;
    // What it will not look at is over; the rest may end.
    const ignored = this.isServer ? [] : this.streams.all().filter(({ id }) => id > lastId);
    for (const stream of [...ignored, ...this.takeUnopened()]) {
      stream.takeReset({ code: errorCodes.refusedStream, connectionError: error });
    }
    this.endIfDone();
  }

  private hello(): void {
    const { streamWindowBytes, connectionWindowBytes, mostHeaderBytes, mostConcurrentStreams } = this.options;
    if (!this.isServer) this.output.bytes(clientPreface);
    const settings = writeSettings({
      initialWindowSize: streamWindowBytes,
      maxFrameSize: mostFrameBytes,
      maxHeaderListSize: mostHeaderBytes,
      maxConcurrentStreams: mostConcurrentStreams,
      enablePush: this.isServer ? undefined : 0,
    });
    this.output.frame(frameTypes.settings, 0, 0, settings);
    if (connectionWindowBytes > defaultWindowBytes) this.output.windowUpdate(0, connectionWindowBytes - defaultWindowBytes);
  }

  private expectPreface(): void {
    const timer = setTimeout(() => {
      if (!this.parser.hasPreface) this.destroy();
    }, prefaceMs);
    timer.unref();
    this.socket.on('close', () => clearTimeout(timer));
  }

  private openWaiting(): void {
    const most = this.incoming.hasSettings ? this.incoming.peer.mostConcurrentStreams : streamsBeforeSettings;
    while (this.unopened.length > 0 && this.streams.size < most && !this.isGone) {
      const { stream, headers } = this.unopened.shift() as { stream: Http2Stream; headers: Headers };
      this.streams.open(stream);
      stream.sendWindow = this.incoming.peer.initialWindowBytes;
      this.sendHeaders(stream.id, headers, false);
      if (stream.queuedBytes > 0 || stream.isSendingOver) this.sender.add(stream);
    }
  }

  private guard(action: () => void): void {
    if (this.isDeaf) return;
    try {
      action();
    } catch (error) {
      if (error instanceof ConnectionFault) this.fail(error);
      else this.fail(new ConnectionFault(errorCodes.internalError, error instanceof Error ? error.message : String(error)));
    }
  }

  /** Tells the other side what it did, and ends. */
  private fail(fault: ConnectionFault): void {
    this.error ??= fault;
    this.isClosing = true;
    this.goAway(fault.code, fault.message);
    this.hangUp();
    this.limitLingering();
    this.loseStreams();
  }

  /** What was under way when the connection ended is read, so that the other side can read why; who goes on beyond what it may is cut off. */
  private ignore(bytes: number): void {
    this.ignoredBytes += bytes;
    if (this.ignoredBytes > this.options.connectionWindowBytes + mostFrameBytes) this.socket.destroy();
  }

  private goAway(code: number, text: string): void {
    this.output.frame(frameTypes.goAway, 0, 0, writeGoAway({ lastId: this.streams.lastPeerId, code, text }));
  }

  private endIfDone(): void {
    if (!this.isClosing || this.isDeaf || this.streams.size + this.unopened.length > 0) return;
    if (!this.isServer) this.goAway(errorCodes.noError, '');
    this.hangUp();
    // Not before all that streams have said has left: it may be much, and the other side slow.
    this.socket.once('finish', () => this.limitLingering());
  }

  /** Ends after what was said. */
  private hangUp(): void {
    this.isDeaf = true;
    this.output.flush();
    this.socket.end();
  }

  /** Waits no longer than a moment for the other side. */
  private limitLingering(): void {
    const timer = setTimeout(() => this.socket.destroy(), lingerMs);
    this.socket.on('close', () => clearTimeout(timer));
  }

  /** Streams that will never be opened. */
  private takeUnopened(): Http2Stream[] {
    return this.unopened.splice(0).map(({ stream }) => stream);
  }

  private loseStreams(): void {
    const connectionError = this.error ?? new Error('the connection was closed');
    for (const stream of [...this.streams.all(), ...this.takeUnopened()]) {
      stream.takeReset({ code: errorCodes.cancel, connectionError });
    }
  }

  private gone(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.isDeaf = true;
    this.loseStreams();
    this.options.onClose?.();
  }
}
