/** Control frames: parsed and checked, or written, one at a time. */
import { ConnectionFault, errorCodes, StreamFault, settingIds } from './protocol.ts';

function requireLength(payload: Buffer, bytes: number, name: string): void {
  if (payload.length === bytes) return;
  throw new ConnectionFault(errorCodes.frameSizeError, `${name} of ${payload.length} bytes, expected ${bytes}`);
}

function requireConnection(streamId: number, name: string): void {
  if (streamId !== 0) throw new ConnectionFault(errorCodes.protocolError, `${name} of a stream`);
}

/** @returns the code of the reset */
export function readReset(streamId: number, payload: Buffer): number {
  requireLength(payload, 4, 'a reset');
  if (streamId === 0) throw new ConnectionFault(errorCodes.protocolError, 'a reset of no stream');
  return payload.readUInt32BE(0);
}

/** @returns the increment in bytes */
export function readWindowUpdate(streamId: number, payload: Buffer): number {
  requireLength(payload, 4, 'a window update');
  const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
  if (bytes > 0) return bytes;
  const finding = 'a window update by nothing';
  if (streamId === 0) throw new ConnectionFault(errorCodes.protocolError, finding);
  throw new StreamFault(streamId, errorCodes.protocolError, finding);
}

/** @returns false for an acknowledgement */
export function checkSettings(streamId: number, isAck: boolean, payload: Buffer): boolean {
  requireConnection(streamId, 'settings');
  if (isAck) requireLength(payload, 0, 'an acknowledgement of settings');
  return !isAck;
}

export function checkPing(streamId: number, payload: Buffer): void {
  requireConnection(streamId, 'a ping');
  requireLength(payload, 8, 'a ping');
}

/** Priorities are ignored but must be well formed. */
export function checkPriority(streamId: number, payload: Buffer): void {
  if (streamId === 0) throw new ConnectionFault(errorCodes.protocolError, 'a priority of no stream');
  if (payload.length !== 5)
    throw new StreamFault(streamId, errorCodes.frameSizeError, 'a priority that is not of five bytes');
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === streamId) {
    throw new StreamFault(streamId, errorCodes.protocolError, 'the stream depends on itself');
  }
}

export interface GoAway {
  /** The peer has ignored streams above this one. */
  lastId: number;
  code: number;
  /** Debug data, reduced to printable characters. */
  text: string;
}

export function readGoAway(streamId: number, payload: Buffer): GoAway {
  requireConnection(streamId, 'a farewell');
  if (payload.length < 8) throw new ConnectionFault(errorCodes.frameSizeError, 'a farewell of less than eight bytes');
  const text = payload.toString('latin1', 8, 8 + 200).replace(/[^\x20-\x7e]/g, '?');
  return { lastId: payload.readUInt32BE(0) & 0x7fff_ffff, code: payload.readUInt32BE(4), text };
}

export function writeGoAway({ lastId, code, text }: GoAway): Buffer {
  const payload = Buffer.alloc(8 + text.length);
  payload.writeUInt32BE(lastId, 0);
  payload.writeUInt32BE(code, 4);
  payload.write(text, 8, 'latin1');
  return payload;
}

/** @param settings by name; undefined ones are omitted */
export function writeSettings(
  settings: Readonly<Partial<Record<keyof typeof settingIds, number | undefined>>>,
): Buffer {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const payload = Buffer.alloc(given.length * 6);
  for (const [i, [name, value]] of given.entries()) {
    payload.writeUInt16BE(settingIds[name as keyof typeof settingIds], i * 6);
    payload.writeUInt32BE(value as number, i * 6 + 2);
  }
  return payload;
}
