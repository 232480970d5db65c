/** The name of a flight: a path, or a command in the server's own format. */
import { FlightError } from '../errors.ts';
import { bytesOf, intOf, MessageWriter, readFields, textOf } from './wire.ts';

export type FlightDescriptor =
  | { path: readonly string[]; command?: undefined }
  | { command: Uint8Array; path?: undefined };

const kinds = { path: 1, command: 2 };

export function encodeDescriptor(descriptor: FlightDescriptor): Uint8Array {
  if (descriptor.command) return new MessageWriter().int(1, kinds.command).bytes(2, descriptor.command).finish();
  const writer = new MessageWriter().int(1, kinds.path);
  for (const part of descriptor.path) writer.message(3, Buffer.from(part, 'utf8'));
  return writer.finish();
}

/** @throws FlightError when it is neither a path nor a command */
export function decodeDescriptor(message: Uint8Array): FlightDescriptor {
  let kind = 0;
  let command: Uint8Array = new Uint8Array(0);
  const path: string[] = [];
  for (const field of readFields(message)) {
    if (field.number === 1) kind = Number(intOf(field));
    else if (field.number === 2) command = bytesOf(field);
    else if (field.number === 3) path.push(textOf(field));
  }
  if (kind === kinds.path) return { path };
  if (kind === kinds.command) return { command };
  throw new FlightError('invalid-argument', `a descriptor has the kind ${kind}, expected 1 (path) or 2 (command)`);
}

/** Text form for messages and logs. */
export function describeDescriptor(descriptor: FlightDescriptor): string {
  return descriptor.command ? `the command of ${descriptor.command.length} bytes` : descriptor.path.join('/');
}
