/** Constants, settings and faults of HTTP/2 (RFC 9113). */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const frameFlags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const errorCodes = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const;

export const settingIds = {
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** Sent by a client before its first frame. */
export const clientPreface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

export const frameHeaderBytes = 9;
/** Largest flow-control window (section 6.9.1). */
export const maxWindowBytes = 2 ** 31 - 1;
/** Initial window of streams and connections. */
export const defaultWindowBytes = 65_535;
export const defaultFrameBytes = 16_384;
const maxFrameBytes = 2 ** 24 - 1;

/** A violation that ends the connection. */
export class ConnectionFault extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A violation that ends one stream. */
export class StreamFault extends Error {
  constructor(
    readonly streamId: number,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Settings of a peer that matter to a sender without dynamic table and push. */
export interface Settings {
  maxConcurrentStreams: number;
  initialWindowBytes: number;
  maxFrameBytes: number;
}

export const defaultSettings: Settings = {
  maxConcurrentStreams: Number.POSITIVE_INFINITY,
  initialWindowBytes: defaultWindowBytes,
  maxFrameBytes: defaultFrameBytes,
};

/** @returns the settings after a SETTINGS frame. @throws ConnectionFault for values out of range */
export function withSettings(settings: Settings, payload: Buffer): Settings {
  if (payload.length % 6 !== 0) {
    throw new ConnectionFault(
      errorCodes.frameSizeError,
      `settings of ${payload.length} bytes, expected a multiple of six`,
    );
  }
  const changed = { ...settings };
  for (let at = 0; at < payload.length; at += 6) {
    const id = payload.readUInt16BE(at);
    const value = payload.readUInt32BE(at + 2);
    if (id === settingIds.enablePush && value > 1) {
      throw new ConnectionFault(errorCodes.protocolError, `push set to ${value}, expected 0 or 1`);
    }
    if (id === settingIds.maxConcurrentStreams) changed.maxConcurrentStreams = value;
    else if (id === settingIds.initialWindowSize) {
      if (value > maxWindowBytes)
        throw new ConnectionFault(errorCodes.flowControlError, `an initial window of ${value} bytes`);
      changed.initialWindowBytes = value;
    } else if (id === settingIds.maxFrameSize) {
      if (value < defaultFrameBytes || value > maxFrameBytes) {
        throw new ConnectionFault(
          errorCodes.protocolError,
          `frames of at most ${value} bytes, expected 16384 to 16777215`,
        );
      }
      changed.maxFrameBytes = value;
    }
  }
  return changed;
}
