/**
 * A connection of HTTP/2 (RFC 9113), either side of it: frames in and out, settings, windows, and the streams that share them. Made for
 * calls that move bulk: what comes is read to where it belongs, what goes is sent as it lies in memory, in frames as large as the other
 * side takes. Without priorities and server push, which calls do not use.
 */
import type { Socket } from 'node:net';
import { DataSender } from './data-sender.ts';
import { FrameOutput } from './frame-output.ts';
import { type BodySink, FrameParser, type FrameReceiver } from './frame-parser.ts';
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { type Headers, listHeaders, readHeaders } from './headers.ts';
import { encodeHeaders } from './hpack/encoder.ts';
import {
  ConnectionFault,
  clientPreface,
  defaultSettings,
  defaultWindowBytes,
  errorCodes,
  frameFlags,
  frameTypes,
  type Settings,
  StreamFault,
  settingIds,
  withSettings,
} from './protocol.ts';
import { RecentIds } from './recent-ids.ts';
import { ResetAllowance } from './reset-allowance.ts';
import { Http2Stream, type StreamHost } from './stream.ts';

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
  onClose?: (error: Error | undefined) => void;
}

/** DATA frames are accepted up to this size: large ones can be read straight into place. */
const mostFrameBytes = 4 * 1024 ** 2;
/** A client asks for no more streams before it knows how many are welcome. */
const streamsBeforeSettings = 100;
/** What may wait for a peer that asks and does not read. */
const mostBacklogBytes = 8 * 1024 ** 2;
const mostEmptyFrames = 1000;
/** A peer that was told of its fault has so long to read it. */
const lingerMs = 1000;
/** In which a client must have begun as one of HTTP/2. */
const prefaceMs = 10_000;

export class Http2Connection implements FrameReceiver, StreamHost {
  readonly output: FrameOutput;
  private readonly parser: FrameParser;
  private readonly sender: DataSender;
  private readonly headerBlocks: HeaderBlocks;
  private readonly streams = new Map<number, Http2Stream>();
  /** Of a client, beyond what its server takes at a time. */
  private unopened: { stream: Http2Stream; headers: Headers }[] = [];
  private readonly recentlyReset = new RecentIds();
  private readonly resets = new ResetAllowance();
  private readonly isServer: boolean;
  private peer: Settings = defaultSettings;
  private hasSettings = false;
  private receiveWindow: number;
  private data: { stream: Http2Stream | undefined; flags: number; length: number } | undefined;
  private emptyFrames = 0;
  private nextId = 1;
  private lastPeerId = 0;
  private isClosing = false;
  private isDeaf = false;
  private isGone = false;
  private error: Error | undefined;

  /** Says hello at once, also while the socket still connects. Give what comes to `receive`, or read into `space`. */
  constructor(
    readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    this.isServer = options.onStream !== undefined;
    this.output = new FrameOutput(socket, () => this.sender.pump());
    this.sender = new DataSender(this.output);
    this.parser = new FrameParser(this, mostFrameBytes, this.isServer);
    this.headerBlocks = new HeaderBlocks(options.mostHeaderBytes);
    this.receiveWindow = options.connectionWindowBytes;
    this.hello();
    socket.on('drain', () => this.output.schedule());
    socket.on('end', () => this.destroy());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.gone());
    if (this.isServer) this.expectPreface();
  }

  /** Whether new streams may be opened. */
  get isUsable(): boolean {
    return !this.isClosing && !this.isGone && this.nextId < 2 ** 31;
  }

  /** Streams that are open. */
  get streamCount(): number {
    return this.streams.size + this.unopened.length;
  }

  /** Opens a stream of a client. @throws RangeError for headers that cannot be sent */
  open(headers: Headers): Http2Stream {
    listHeaders(headers); // Before anything has happened.
    const stream = new Http2Stream(this, this.peer.initialWindowBytes, this.options.streamWindowBytes);
    this.unopened.push({ stream, headers });
    this.openWaiting();
    return stream;
  }

  /** Opens no more streams, and ends when those that are open are over. */
  close(): void {
    if (this.isClosing || this.isGone) return;
    this.isClosing = true;
    this.goAway(errorCodes.noError, '');
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
    this.guard(() => this.parser.push(chunk));
  }

  /** Where to read to instead, if what comes next is known; tell `filled` then. */
  space(): Uint8Array | undefined {
    return this.isDeaf ? undefined : this.parser.space();
  }

  filled(bytes: number): void {
    this.guard(() => this.parser.filled(bytes));
  }

  // What the parser finds.

  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (!this.hasSettings && (type !== frameTypes.settings || flags & frameFlags.ack)) {
      throw new ConnectionFault(errorCodes.protocolError, 'the connection does not begin with settings');
    }
    if (this.headerBlocks.isOpen && type !== frameTypes.continuation) {
      throw new ConnectionFault(errorCodes.protocolError, 'headers are interrupted by another frame');
    }
    try {
      this.take(type, flags, streamId, payload);
    } catch (error) {
      this.resetFaulty(error);
    }
    if (this.output.backlogBytes > mostBacklogBytes) {
      throw new ConnectionFault(errorCodes.enhanceYourCalm, 'asks without reading the answers');
    }
  }

  onDataBegin(flags: number, streamId: number, length: number): BodySink | undefined {
    if (!this.hasSettings || this.headerBlocks.isOpen || streamId === 0 || this.isIdle(streamId)) {
      throw new ConnectionFault(errorCodes.protocolError, 'data where there can be none');
    }
    this.emptyFrames = length > 0 || flags & frameFlags.endStream ? 0 : this.emptyFrames + 1;
    if (this.emptyFrames > mostEmptyFrames) throw new ConnectionFault(errorCodes.enhanceYourCalm, 'sends empty frames only');
    this.receiveWindow -= length;
    if (this.receiveWindow < 0) {
      throw new ConnectionFault(errorCodes.flowControlError, 'more data than the window of the connection allows');
    }
    const stream = this.streams.get(streamId);
    this.data = { stream, flags, length };
    try {
      if (stream) return stream.beginData(length);
      if (!this.recentlyReset.has(streamId))
        throw new StreamFault(streamId, errorCodes.streamClosed, 'data for a stream that is over');
    } catch (error) {
      this.data.stream = undefined;
      this.resetFaulty(error);
    }
    return undefined;
  }

  onDataEnd(contentBytes: number): void {
    const { data } = this;
    this.data = undefined;
    this.grant();
    const stream = data?.stream;
    if (!stream || stream.isOver) return;
    try {
      stream.endData(contentBytes);
      if (data.flags & frameFlags.endStream) stream.takeEnd();
    } catch (error) {
      this.resetFaulty(error);
    }
  }

  // What streams ask for.

  ready(stream: Http2Stream): void {
    if (stream.id > 0) this.sender.add(stream);
  }

  sendHeaders(streamId: number, headers: Headers, isEnd: boolean): void {
    const block = encodeHeaders(listHeaders(headers));
    const end = isEnd ? frameFlags.endStream : 0;
    const most = this.peer.mostFrameBytes;
    if (block.length <= most) {
      this.output.frame(frameTypes.headers, end | frameFlags.endHeaders, streamId, block);
      return;
    }
    this.output.frame(frameTypes.headers, end, streamId, block.subarray(0, most));
    for (let at = most; at < block.length; at += most) {
      const isLast = at + most >= block.length;
      this.output.frame(frameTypes.continuation, isLast ? frameFlags.endHeaders : 0, streamId, block.subarray(at, at + most));
    }
  }

  closed(stream: Http2Stream, hasReset: boolean): void {
    if (stream.id === 0) this.unopened = this.unopened.filter((waiting) => waiting.stream !== stream);
    else this.streams.delete(stream.id);
    if (hasReset && stream.id > 0) this.recentlyReset.add(stream.id);
    this.openWaiting();
    this.endIfDone();
  }

  private hello(): void {
    const { streamWindowBytes, connectionWindowBytes, mostHeaderBytes, mostConcurrentStreams } = this.options;
    const settings: [id: number, value: number][] = [
      [settingIds.initialWindowSize, streamWindowBytes],
      [settingIds.maxFrameSize, mostFrameBytes],
      [settingIds.maxHeaderListSize, mostHeaderBytes],
    ];
    if (!this.isServer) settings.push([settingIds.enablePush, 0]);
    if (mostConcurrentStreams !== undefined) settings.push([settingIds.maxConcurrentStreams, mostConcurrentStreams]);
    const payload = Buffer.alloc(settings.length * 6);
    for (const [i, [id, value]] of settings.entries()) {
      payload.writeUInt16BE(id, i * 6);
      payload.writeUInt32BE(value, i * 6 + 2);
    }
    if (!this.isServer) this.output.bytes(clientPreface);
    this.output.frame(frameTypes.settings, 0, 0, payload);
    this.output.windowUpdate(0, connectionWindowBytes - defaultWindowBytes);
  }

  private expectPreface(): void {
    const timer = setTimeout(() => {
      if (!this.parser.hasPreface) this.destroy(new Error(`nothing of HTTP/2 came within ${prefaceMs / 1000} s`));
    }, prefaceMs);
    timer.unref();
    this.socket.on('close', () => clearTimeout(timer));
  }

  private openWaiting(): void {
    const most = this.hasSettings ? this.peer.mostConcurrentStreams : streamsBeforeSettings;
    while (this.unopened.length > 0 && this.streams.size < most && !this.isGone) {
      const { stream, headers } = this.unopened.shift() as { stream: Http2Stream; headers: Headers };
      stream.id = this.nextId;
      this.nextId += 2;
      stream.sendWindow = this.peer.initialWindowBytes;
      this.streams.set(stream.id, stream);
      this.sendHeaders(stream.id, headers, false);
      if (stream.queuedBytes > 0 || stream.isSendingOver) this.sender.add(stream);
    }
  }

  private take(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (type === frameTypes.headers) this.takeHeaderFrame(flags, streamId, payload);
    else if (type === frameTypes.continuation) this.takeBlock(this.headerBlocks.proceed(flags, streamId, payload));
    else if (type === frameTypes.settings) this.takeSettings(flags, streamId, payload);
    else if (type === frameTypes.windowUpdate) this.takeWindowUpdate(streamId, payload);
    else if (type === frameTypes.resetStream) this.takeReset(streamId, payload);
    else if (type === frameTypes.ping) this.takePing(flags, streamId, payload);
    else if (type === frameTypes.goAway) this.takeGoAway(streamId, payload);
    else if (type === frameTypes.priority) takePriority(streamId, payload);
    else if (type === frameTypes.pushPromise) {
      throw new ConnectionFault(errorCodes.protocolError, 'pushes, which is not allowed here');
    }
  }

  private takeHeaderFrame(flags: number, streamId: number, payload: Buffer): void {
    if (streamId === 0) throw new ConnectionFault(errorCodes.protocolError, 'headers of no stream');
    this.takeBlock(this.headerBlocks.begin(flags, streamId, payload));
  }

  private takeBlock(block: HeaderBlock | undefined): void {
    if (!block) return;
    const { streamId, isTooLong, isSelfDependent } = block;
    const stream = this.streams.get(streamId);
    if (!stream && !this.isOpening(streamId)) return;
    if (!stream) this.lastPeerId = streamId;
    if (isSelfDependent) throw new StreamFault(streamId, errorCodes.protocolError, 'the stream depends on itself');
    if (isTooLong) throw new StreamFault(streamId, errorCodes.enhanceYourCalm, 'headers are longer than accepted');
    if (stream) this.takeFurtherHeaders(stream, block);
    else this.welcome(block);
  }

  /** Whether headers open a stream. @throws ConnectionFault where they cannot be */
  private isOpening(streamId: number): boolean {
    if (this.isServer && streamId % 2 === 1 && streamId > this.lastPeerId) return true;
    if (this.recentlyReset.has(streamId)) return false;
    const code = this.isIdle(streamId) ? errorCodes.protocolError : errorCodes.streamClosed;
    throw new ConnectionFault(code, 'headers of a stream that cannot have any');
  }

  private welcome({ streamId, fields, isEnd }: HeaderBlock): void {
    const { onStream, streamWindowBytes, mostConcurrentStreams = Number.POSITIVE_INFINITY } = this.options;
    if (this.isClosing || this.streams.size >= mostConcurrentStreams) {
      throw new StreamFault(streamId, errorCodes.refusedStream, 'takes no more streams now');
    }
    const headers = readHeaders(fields, 'request', streamId);
    const stream = new Http2Stream(this, this.peer.initialWindowBytes, streamWindowBytes);
    stream.id = streamId;
    this.streams.set(streamId, stream);
    stream.expect(headers);
    onStream?.(stream, headers);
    if (isEnd && !stream.isOver) stream.takeEnd();
  }

  private takeFurtherHeaders(stream: Http2Stream, { streamId, fields, isEnd }: HeaderBlock): void {
    if (stream.isPeerDone) throw new StreamFault(streamId, errorCodes.streamClosed, 'headers after the end of the stream');
    const isAnswer = !this.isServer && !stream.isAnswered;
    if (!isAnswer && !isEnd) throw new StreamFault(streamId, errorCodes.protocolError, 'trailers that do not end the stream');
    const headers = readHeaders(fields, isAnswer ? 'answer' : 'trailers', streamId);
    if (headers[':status']?.startsWith('1')) return; // Not the answer yet.
    stream.takeHeaders(headers);
    if (isEnd && !stream.isOver) stream.takeEnd();
  }

  private takeSettings(flags: number, streamId: number, payload: Buffer): void {
    if (streamId !== 0) throw new ConnectionFault(errorCodes.protocolError, 'settings of a stream');
    if (flags & frameFlags.ack) {
      if (payload.length > 0) throw new ConnectionFault(errorCodes.frameSizeError, 'an acknowledgement of settings with content');
      return;
    }
    const before = this.peer.initialWindowBytes;
    this.peer = withSettings(this.peer, payload);
    this.hasSettings = true;
    this.sender.frameBytes = this.peer.mostFrameBytes;
    this.output.header(frameTypes.settings, frameFlags.ack, 0, 0);
    try {
      for (const stream of this.streams.values()) stream.openWindow(this.peer.initialWindowBytes - before);
    } catch (error) {
      throw error instanceof StreamFault ? new ConnectionFault(error.code, error.message) : error;
    }
    this.openWaiting();
  }

  private takeWindowUpdate(streamId: number, payload: Buffer): void {
    if (payload.length !== 4) throw new ConnectionFault(errorCodes.frameSizeError, 'a window update that is not of four bytes');
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (this.isIdle(streamId))
      throw new ConnectionFault(errorCodes.protocolError, 'a window update of a stream that is not open');
    if (bytes === 0) {
      const finding = 'a window update by nothing';
      if (streamId === 0) throw new ConnectionFault(errorCodes.protocolError, finding);
      throw new StreamFault(streamId, errorCodes.protocolError, finding);
    }
    if (streamId === 0) this.sender.openWindow(bytes);
    else this.streams.get(streamId)?.openWindow(bytes);
  }

  private takeReset(streamId: number, payload: Buffer): void {
    if (payload.length !== 4) throw new ConnectionFault(errorCodes.frameSizeError, 'a reset that is not of four bytes');
    if (streamId === 0 || this.isIdle(streamId))
      throw new ConnectionFault(errorCodes.protocolError, 'a reset of a stream that is not open');
    if (this.isServer && !this.resets.take())
      throw new ConnectionFault(errorCodes.enhanceYourCalm, 'opens streams only to reset them');
    this.streams.get(streamId)?.takeReset({ code: payload.readUInt32BE(0) });
  }

  private takePing(flags: number, streamId: number, payload: Buffer): void {
    if (streamId !== 0) throw new ConnectionFault(errorCodes.protocolError, 'a ping of a stream');
    if (payload.length !== 8) throw new ConnectionFault(errorCodes.frameSizeError, 'a ping that is not of eight bytes');
    if (!(flags & frameFlags.ack)) this.output.frame(frameTypes.ping, frameFlags.ack, 0, payload);
  }

  private takeGoAway(streamId: number, payload: Buffer): void {
    if (streamId !== 0) throw new ConnectionFault(errorCodes.protocolError, 'a farewell of a stream');
    if (payload.length < 8) throw new ConnectionFault(errorCodes.frameSizeError, 'a farewell of less than eight bytes');
    const lastId = payload.readUInt32BE(0) & 0x7fff_ffff;
    const code = payload.readUInt32BE(4);
    const text = payload.toString('latin1', 8, 8 + 200).replace(/[^\x20-\x7e]/g, '?');
    const error = new Error(`the other side ended the connection with HTTP/2 code ${code}${text ? `: ${text}` : ''}`);
    if (code !== errorCodes.noError) this.error ??= error;
    this.isClosing = true;
    // What it will not look at is over; the rest may end.
    const ignored = this.isServer ? [] : [...this.streams.values()].filter(({ id }) => id > lastId);
    for (const stream of [...ignored, ...this.unopened.map((waiting) => waiting.stream)]) {
      stream.takeReset({ code: errorCodes.refusedStream, connectionError: error });
    }
    this.endIfDone();
  }

  private isIdle(streamId: number): boolean {
    if (streamId === 0) return false;
    const isOurs = streamId % 2 === (this.isServer ? 0 : 1);
    return isOurs ? this.isServer || streamId >= this.nextId : streamId > this.lastPeerId;
  }

  /** What has come was taken; the streams' own windows hold back who sends too much. */
  private grant(): void {
    const { connectionWindowBytes } = this.options;
    const used = connectionWindowBytes - this.receiveWindow;
    if (used < connectionWindowBytes / 4) return;
    this.receiveWindow = connectionWindowBytes;
    this.output.windowUpdate(0, used);
  }

  /** @throws whatever is not the fault of one stream */
  private resetFaulty(error: unknown): void {
    if (!(error instanceof StreamFault)) throw error;
    const stream = this.streams.get(error.streamId);
    this.output.number(frameTypes.resetStream, error.streamId, error.code);
    this.recentlyReset.add(error.streamId);
    stream?.takeReset({ code: error.code });
    if (this.isServer && !this.resets.take())
      throw new ConnectionFault(errorCodes.enhanceYourCalm, 'goes on breaking the protocol');
  }

  private guard(action: () => void): void {
    if (this.isDeaf) return;
    try {
      action();
    } catch (error) {
      const fault =
        error instanceof ConnectionFault
          ? error
          : new ConnectionFault(errorCodes.internalError, error instanceof Error ? error.message : String(error));
      this.fail(fault);
    }
  }

  /** Tells the other side what it did, and ends. */
  private fail(fault: ConnectionFault): void {
    this.error ??= fault;
    this.isDeaf = true;
    this.isClosing = true;
    this.goAway(fault.code, fault.message);
    this.output.flush();
    this.socket.end();
    const timer = setTimeout(() => this.socket.destroy(), lingerMs);
    this.socket.on('close', () => clearTimeout(timer));
    this.loseStreams();
  }

  private goAway(code: number, text: string): void {
    const payload = Buffer.alloc(8 + text.length);
    payload.writeUInt32BE(this.lastPeerId, 0);
    payload.writeUInt32BE(code, 4);
    payload.write(text, 8, 'latin1');
    this.output.frame(frameTypes.goAway, 0, 0, payload);
  }

  private endIfDone(): void {
    if (!this.isClosing || this.streamCount > 0 || this.isDeaf || this.isGone) return;
    this.isDeaf = true;
    this.output.flush();
    this.socket.end();
    const timer = setTimeout(() => this.socket.destroy(), lingerMs);
    this.socket.on('close', () => clearTimeout(timer));
  }

  private loseStreams(): void {
    const connectionError = this.error ?? new Error('the connection was closed');
    for (const stream of [...this.streams.values(), ...this.unopened.map((waiting) => waiting.stream)]) {
      stream.takeReset({ code: errorCodes.cancel, connectionError });
    }
  }

  private gone(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.isDeaf = true;
    this.loseStreams();
    this.options.onClose?.(this.error);
  }
}

/** Priorities are not followed, but must be well formed. */
function takePriority(streamId: number, payload: Buffer): void {
  if (streamId === 0) throw new ConnectionFault(errorCodes.protocolError, 'a priority of no stream');
  if (payload.length !== 5) throw new StreamFault(streamId, errorCodes.frameSizeError, 'a priority that is not of five bytes');
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === streamId) {
    throw new StreamFault(streamId, errorCodes.protocolError, 'the stream depends on itself');
  }
}
