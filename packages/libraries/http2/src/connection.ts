/**
 * One HTTP/2 connection (RFC 9113), client or server side: frames, settings, windows and streams. Built for bulk
 * data: content is read into its final memory and sent without copying, in the largest frames that the peer accepts.
 * Priorities and server push are not supported.
 */
import type { Socket } from 'node:net';
import { type GoAway, writeGoAway, writeSettings } from './control-frames.ts';
import { DataSender } from './data-sender.ts';
import { FrameOutput } from './frame-output.ts';
import { FrameParser } from './frame-parser.ts';
import { HeaderWriter } from './header-writer.ts';
import { type Headers, listHeaders } from './headers.ts';
import { type FrameHost, IncomingFrames } from './incoming-frames.ts';
import { type PendingStream, PendingStreams } from './pending-streams.ts';
import { ConnectionFault, clientPreface, defaultWindowBytes, errorCodes, frameTypes, StreamFault } from './protocol.ts';
import { destroyAfter, SocketEnd } from './socket-end.ts';
import { Http2Stream, type StreamHost } from './stream.ts';
import { StreamTable } from './stream-table.ts';

export interface ConnectionOptions {
  /** Bytes that the peer may send before they are consumed: per stream, and over all streams. */
  streamWindowBytes: number;
  connectionWindowBytes: number;
  /** Limit of a header block, encoded and decoded. */
  maxHeaderBytes: number;
  /** Limit of concurrent streams that a server announces. Default: none. */
  maxConcurrentStreams?: number;
  /** Called for each stream that the client opens; makes this the server side. */
  onStream?: (stream: Http2Stream, headers: Headers) => void;
  /** Called once when the socket is closed, after `onReset` of the streams. */
  onClose?: () => void;
}

/** Largest DATA frame accepted. Large frames can be read straight into their final memory. */
const maxFrameBytes = 4 * 1024 ** 2;
/** Limit of streams that a client opens before it has received the settings of the server. */
const streamsBeforeSettings = 100;
/** Timeout for the preface of a client. */
const prefaceMs = 10_000;

export class Http2Connection implements FrameHost, StreamHost {
  readonly isServer: boolean;
  readonly output: FrameOutput;
  readonly sender: DataSender;
  readonly streams: StreamTable;
  private readonly incoming: IncomingFrames;
  private readonly parser: FrameParser;
  private readonly headerWriter: HeaderWriter;
  private readonly end: SocketEnd;
  /** Streams of this client that wait for the server to accept them. */
  private readonly pending = new PendingStreams();
  private isClosing = false;
  private isGone = false;
  private error: Error | undefined;

  /**
   * Queues preface and settings at once, also while the socket still connects. Pass input to `receive`, or read it into
   * the memory that `space` returns.
   */
  constructor(
    readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    const { onStream, maxHeaderBytes, connectionWindowBytes } = options;
    this.isServer = onStream !== undefined;
    this.output = new FrameOutput(socket, () => this.sender.pump());
    this.sender = new DataSender(this.output);
    this.headerWriter = new HeaderWriter(this.output);
    this.streams = new StreamTable(this.isServer);
    this.incoming = new IncomingFrames(this, maxHeaderBytes, connectionWindowBytes);
    this.parser = new FrameParser(this.incoming, maxFrameBytes, this.isServer);
    this.end = new SocketEnd(socket, this.output, connectionWindowBytes + maxFrameBytes);
    this.sendPreface();
    socket.on('drain', () => this.output.schedule());
    socket.on('end', () => this.destroy());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.onSocketClosed());
    if (this.isServer) destroyAfter(socket, prefaceMs, () => this.parser.hasPreface);
  }

  /** Whether new streams may be opened. */
  get isUsable(): boolean {
    return !this.isClosing && !this.end.ignoresInput && this.streams.hasNumbers;
  }

  /** Opens a stream of a client. @throws RangeError for headers that cannot be sent */
  open(headers: Headers): Http2Stream {
    listHeaders(headers); // Throws here, not when the stream is opened later.
    const stream = new Http2Stream(this, this.options.streamWindowBytes);
    this.pending.add({ stream, headers });
    this.openPending();
    return stream;
  }

  /** Accepts no new streams and closes the connection when the open ones have ended. */
  close(): void {
    if (this.isClosing || this.isGone) return;
    this.isClosing = true;
    // A client sends GOAWAY at the end: servers refuse pending streams after it.
    if (this.isServer) this.goAway(errorCodes.noError, '');
    this.endIfDone();
  }

  /** Closes the socket and fails all streams at once. */
  destroy(error?: Error): void {
    this.error ??= error;
    this.end.ignoresInput = true;
    this.socket.destroy();
    this.failStreams();
  }

  /** Consumes received bytes; keeps no reference to `chunk`. */
  receive(chunk: Buffer): void {
    if (this.end.ignoresInput) this.end.ignore(chunk.length);
    else this.guard(() => this.parser.push(chunk));
  }

  /** Memory to read into when the next bytes are known to be content; call `filled` after the read. */
  space(): Uint8Array | undefined {
    return this.end.ignoresInput ? undefined : this.parser.space();
  }

  filled(bytes: number): void {
    this.guard(() => this.parser.filled(bytes));
  }

  // StreamHost

  ready(stream: Http2Stream): void {
    if (stream.id > 0) this.sender.add(stream);
  }

  sendHeaders(streamId: number, headers: Headers, isEnd: boolean): void {
    this.headerWriter.write(streamId, headers, isEnd, this.incoming.peer.maxFrameBytes);
  }

  closed(stream: Http2Stream, isReset: boolean): void {
    if (stream.id === 0) this.pending.remove(stream);
    else this.streams.remove(stream.id);
    if (isReset && stream.id > 0) this.streams.markReset(stream.id);
    this.openPending();
    this.endIfDone();
  }

  // FrameHost

  onOpened(streamId: number, headers: Headers): Http2Stream {
    const { onStream, streamWindowBytes, maxConcurrentStreams = Number.POSITIVE_INFINITY } = this.options;
    if (this.isClosing || this.streams.size >= maxConcurrentStreams) {
      throw new StreamFault(streamId, errorCodes.refusedStream, 'accepts no more streams now');
    }
    const stream = new Http2Stream(this, streamWindowBytes);
    stream.sendWindow = this.incoming.peer.initialWindowBytes;
    this.streams.add(stream, streamId);
    stream.expect(headers);
    onStream?.(stream, headers);
    return stream;
  }

  onSettings(): void {
    this.openPending();
  }

  onGoAway({ lastId, code, text }: GoAway): void {
    const error = new Error(`the other side ended the connection with HTTP/2 code ${code}${text ? `: ${text}` : ''}`);
    if (code !== errorCodes.noError) this.error ??= error;
    this.isClosing = true;
    // The peer ignores streams above lastId; the others may still end.
    const ignored = this.isServer ? [] : this.streams.all().filter(({ id }) => id > lastId);
    for (const stream of [...ignored, ...this.pending.takeAll()]) {
      stream.takeReset({ code: errorCodes.refusedStream, connectionError: error });
    }
    this.endIfDone();
  }

  private sendPreface(): void {
    const { streamWindowBytes, connectionWindowBytes, maxHeaderBytes, maxConcurrentStreams } = this.options;
    if (!this.isServer) this.output.bytes(clientPreface);
    const settings = writeSettings({
      initialWindowSize: streamWindowBytes,
      maxFrameSize: maxFrameBytes,
      maxHeaderListSize: maxHeaderBytes,
      maxConcurrentStreams: maxConcurrentStreams,
      enablePush: this.isServer ? undefined : 0,
    });
    this.output.frame(frameTypes.settings, 0, 0, settings);
    if (connectionWindowBytes > defaultWindowBytes)
      this.output.windowUpdate(0, connectionWindowBytes - defaultWindowBytes);
  }

  private openPending(): void {
    const max = this.incoming.hasSettings ? this.incoming.peer.maxConcurrentStreams : streamsBeforeSettings;
    while (this.pending.size > 0 && this.streams.size < max && !this.isGone) {
      const { stream, headers } = this.pending.next() as PendingStream;
      this.streams.open(stream);
      stream.sendWindow = this.incoming.peer.initialWindowBytes;
      this.sendHeaders(stream.id, headers, false);
      if (stream.queuedBytes > 0 || stream.isSendingOver) this.sender.add(stream);
    }
  }

  private guard(action: () => void): void {
    if (this.end.ignoresInput) return;
    try {
      action();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.fail(error instanceof ConnectionFault ? error : new ConnectionFault(errorCodes.internalError, message));
    }
  }

  /** Sends GOAWAY with the fault and closes the connection. */
  private fail(fault: ConnectionFault): void {
    this.error ??= fault;
    this.isClosing = true;
    this.goAway(fault.code, fault.message);
    this.end.begin();
    this.end.destroySoon();
    this.failStreams();
  }

  private goAway(code: number, text: string): void {
    this.output.frame(frameTypes.goAway, 0, 0, writeGoAway({ lastId: this.streams.lastPeerId, code, text }));
  }

  private endIfDone(): void {
    if (!this.isClosing || this.end.ignoresInput || this.streams.size + this.pending.size > 0) return;
    if (!this.isServer) this.goAway(errorCodes.noError, '');
    this.end.begin();
    // The timeout starts when all queued data has been sent: the peer may be slow.
    this.socket.once('finish', () => this.end.destroySoon());
  }

  private failStreams(): void {
    const connectionError = this.error ?? new Error('the connection was closed');
    for (const stream of [...this.streams.all(), ...this.pending.takeAll()]) {
      stream.takeReset({ code: errorCodes.cancel, connectionError });
    }
  }

  private onSocketClosed(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.end.ignoresInput = true;
    this.failStreams();
    this.options.onClose?.();
  }
}
