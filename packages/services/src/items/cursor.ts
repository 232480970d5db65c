/** Encodes the position at which a page of items ended, for clients to send back. */
import type { ItemPosition } from '@topo-bench/stores';
import { isIsoTime } from './times.ts';

export function toCursor({ createdAt, id }: ItemPosition): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

/** @returns undefined for an invalid cursor */
export function readCursor(text: string): ItemPosition | undefined {
  const position = Buffer.from(text, 'base64url').toString('latin1');
  const [createdAt = '', id = '', ...rest] = position.split(' ');
  if (rest.length > 0 || !isIsoTime(createdAt) || !/^[A-Za-z0-9._-]{1,64}$/.test(id)) return undefined;
  return { createdAt, id };
}
