/** Applies received frames to streams, windows and settings, and detects protocol violations. */
import {
  checkPing,
  checkPriority,
  checkSettings,
  type GoAway,
  readGoAway,
  readReset,
  readWindowUpdate,
} from './control-frames.ts';
import type { DataSender } from './data-sender.ts';
import type { FrameOutput } from './frame-output.ts';
import type { BodySink, FrameReceiver } from './frame-parser.ts';
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { type Headers, readHeaders } from './headers.ts';
import {
  ConnectionFault,
  defaultSettings,
  errorCodes,
  frameFlags,
  frameTypes,
  type Settings,
  StreamFault,
  withSettings,
} from './protocol.ts';
import { ReceiveWindow } from './receive-window.ts';
import { ResetAllowance } from './reset-allowance.ts';
import type { Http2Stream } from './stream.ts';
import type { StreamTable } from './stream-table.ts';

/** The connection that receives the frames. */
export interface FrameHost {
  readonly isServer: boolean;
  readonly streams: StreamTable;
  readonly output: FrameOutput;
  readonly sender: DataSender;
  /** The client opens a stream. @throws StreamFault when there are too many */
  onOpened: (streamId: number, headers: Headers) => Http2Stream;
  /** The settings of the peer have changed. */
  onSettings: () => void;
  onGoAway: (goAway: GoAway) => void;
}

/** Limit of unread answers. */
const maxBacklogBytes = 8 * 1024 ** 2;
const maxEmptyFrames = 1000;

export class IncomingFrames implements FrameReceiver {
  /** Settings of the peer. */
  peer: Settings = defaultSettings;
  hasSettings = false;
  private readonly headerBlocks: HeaderBlocks;
  private readonly receiveWindow: ReceiveWindow;
  private readonly resets = new ResetAllowance();
  /** The DATA frame being received. */
  private data: { stream: Http2Stream | undefined; isEnd: boolean } | undefined;
  private emptyFrames = 0;

  /** @param windowBytes connection window granted to the peer */
  constructor(
    private readonly host: FrameHost,
    maxHeaderBytes: number,
    windowBytes: number,
  ) {
    this.headerBlocks = new HeaderBlocks(maxHeaderBytes);
    this.receiveWindow = new ReceiveWindow(windowBytes);
  }

  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (!this.hasSettings && (type !== frameTypes.settings || flags & frameFlags.ack)) {
      throw new ConnectionFault(errorCodes.protocolError, 'the connection does not begin with settings');
    }
    if (this.headerBlocks.isOpen && type !== frameTypes.continuation) {
      throw new ConnectionFault(errorCodes.protocolError, 'headers are interrupted by another frame');
    }
    this.resettingFaulty(() => this.take(type, flags, streamId, payload));
    if (this.host.output.backlogBytes > maxBacklogBytes) {
      throw new ConnectionFault(errorCodes.enhanceYourCalm, 'asks without reading the answers');
    }
  }

  onDataBegin(flags: number, streamId: number, length: number): BodySink | undefined {
    if (!this.hasSettings || this.headerBlocks.isOpen || streamId === 0 || this.host.streams.isIdle(streamId)) {
      throw new ConnectionFault(errorCodes.protocolError, 'data where there can be none');
    }
    const isEnd = (flags & frameFlags.endStream) !== 0;
    this.emptyFrames = length > 0 || isEnd ? 0 : this.emptyFrames + 1;
    if (this.emptyFrames > maxEmptyFrames)
      throw new ConnectionFault(errorCodes.enhanceYourCalm, 'sends empty frames only');
    if (!this.receiveWindow.take(length)) {
      throw new ConnectionFault(errorCodes.flowControlError, 'more data than the window of the connection allows');
    }
    this.data = { stream: undefined, isEnd };
    return this.resettingFaulty(() => {
      const stream = this.host.streams.get(streamId);
      if (!stream && this.host.streams.wasReset(streamId)) return undefined;
      if (!stream) throw new StreamFault(streamId, errorCodes.streamClosed, 'data for a stream that is over');
      const sink = stream.beginData(length);
      this.data = { stream, isEnd };
      return sink;
    });
  }

  onDataEnd(contentBytes: number): void {
    const { stream, isEnd } = this.data ?? {};
    this.data = undefined;
    // The connection window opens on arrival; the window of each stream limits its sender.
    const granted = this.receiveWindow.refill();
    if (granted > 0) this.host.output.windowUpdate(0, granted);
    if (!stream || stream.isOver) return;
    this.resettingFaulty(() => {
      stream.endData(contentBytes);
      if (isEnd) stream.takeEnd();
    });
  }

  private take(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (type === frameTypes.headers) this.takeBlock(this.headerBlocks.begin(flags, streamId, payload));
    else if (type === frameTypes.continuation) this.takeBlock(this.headerBlocks.proceed(flags, streamId, payload));
    else if (type === frameTypes.settings) this.takeSettings(flags, streamId, payload);
    else if (type === frameTypes.windowUpdate) this.takeWindowUpdate(streamId, payload);
    else if (type === frameTypes.resetStream) this.takeReset(streamId, payload);
    else if (type === frameTypes.ping) this.takePing(flags, streamId, payload);
    else if (type === frameTypes.goAway) this.host.onGoAway(readGoAway(streamId, payload));
    else if (type === frameTypes.priority) checkPriority(streamId, payload);
    else if (type === frameTypes.pushPromise) {
      throw new ConnectionFault(errorCodes.protocolError, 'pushes, which is not allowed here');
    }
  }

  private takeBlock(block: HeaderBlock | undefined): void {
    if (!block) return;
    const { streamId, isTooLong, isSelfDependent } = block;
    const stream = this.host.streams.get(streamId);
    if (!stream) {
      if (this.host.streams.wasReset(streamId)) return;
      if (!this.host.streams.isNext(streamId)) {
        const code =
          this.host.streams.isIdle(streamId) || streamId === 0 ? errorCodes.protocolError : errorCodes.streamClosed;
        throw new ConnectionFault(code, 'headers of a stream that cannot have any');
      }
      this.host.streams.lastPeerId = streamId;
    }
    if (isSelfDependent) throw new StreamFault(streamId, errorCodes.protocolError, 'the stream depends on itself');
    if (isTooLong) throw new StreamFault(streamId, errorCodes.enhanceYourCalm, 'headers are longer than accepted');
    if (stream) this.takeFurtherHeaders(stream, block);
    else this.addStream(block);
  }

  private addStream({ streamId, fields, isEnd }: HeaderBlock): void {
    const headers = readHeaders(fields, 'request', streamId);
    const stream = this.host.onOpened(streamId, headers);
    if (isEnd && !stream.isOver) stream.takeEnd();
  }

  private takeFurtherHeaders(stream: Http2Stream, { streamId, fields, isEnd }: HeaderBlock): void {
    if (stream.isPeerDone)
      throw new StreamFault(streamId, errorCodes.streamClosed, 'headers after the end of the stream');
    const isAnswer = !stream.isAnswered;
    if (!isAnswer && !isEnd)
      throw new StreamFault(streamId, errorCodes.protocolError, 'trailers that do not end the stream');
    const headers = readHeaders(fields, isAnswer ? 'answer' : 'trailers', streamId);
    if (headers[':status']?.startsWith('1')) {
      if (isEnd) throw new StreamFault(streamId, errorCodes.protocolError, 'an interim answer that ends the stream');
      return; // An interim response is ignored.
    }
    stream.takeHeaders(headers);
    if (isEnd && !stream.isOver) stream.takeEnd();
  }

  private takeSettings(flags: number, streamId: number, payload: Buffer): void {
    if (!checkSettings(streamId, (flags & frameFlags.ack) !== 0, payload)) return;
    const before = this.peer.initialWindowBytes;
    this.peer = withSettings(this.peer, payload);
    this.hasSettings = true;
    this.host.sender.frameBytes = this.peer.maxFrameBytes;
    this.host.output.header(frameTypes.settings, frameFlags.ack, 0, 0);
    try {
      for (const stream of this.host.streams.all()) stream.openWindow(this.peer.initialWindowBytes - before);
    } catch (error) {
      throw error instanceof StreamFault ? new ConnectionFault(error.code, error.message) : error;
    }
    this.host.onSettings();
  }

  private takeWindowUpdate(streamId: number, payload: Buffer): void {
    this.requireOpened(streamId, 'a window update');
    const bytes = readWindowUpdate(streamId, payload);
    if (streamId === 0) this.host.sender.openWindow(bytes);
    else this.host.streams.get(streamId)?.openWindow(bytes);
  }

  private takeReset(streamId: number, payload: Buffer): void {
    this.requireOpened(streamId, 'a reset');
    const code = readReset(streamId, payload);
    const stream = this.host.streams.get(streamId);
    if (!stream) return;
    if (this.host.isServer && !this.resets.take()) {
      throw new ConnectionFault(errorCodes.enhanceYourCalm, 'opens streams only to reset them');
    }
    stream.takeReset({ code });
  }

  private takePing(flags: number, streamId: number, payload: Buffer): void {
    checkPing(streamId, payload);
    if (!(flags & frameFlags.ack)) this.host.output.frame(frameTypes.ping, frameFlags.ack, 0, payload);
  }

  private requireOpened(streamId: number, name: string): void {
    if (this.host.streams.isIdle(streamId)) {
      throw new ConnectionFault(errorCodes.protocolError, `${name} of a stream that was never opened`);
    }
  }

  /** Resets the stream of a StreamFault. @throws every other error */
  private resettingFaulty<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof StreamFault)) throw error;
      const { streamId, code, message } = error;
      this.host.output.number(frameTypes.resetStream, streamId, code);
      this.host.streams.markReset(streamId);
      this.host.streams.get(streamId)?.takeReset({ code, finding: message });
      if (this.host.isServer && !this.resets.take()) {
        throw new ConnectionFault(errorCodes.enhanceYourCalm, 'repeated breaches of the protocol');
      }
      return undefined;
    }
  }
}
