/**
 * Parses the descriptors and tickets of a service's flight. Clients can write anything into them, so every field is
 * checked.
 */
import { describeDescriptor, type FlightDescriptor, FlightError } from '@topo-bench/arrow-flight';

/**
 * A command is JSON such as `{ "purpose": "billing", "endpoints": 8 }`, with both fields optional. A path is the
 * service name alone.
 */
export interface FlightRequest {
  purpose?: string;
  endpoints?: number;
}

/** Contents of a ticket: one stream of a flight. */
export interface FlightPart {
  service: string;
  part: number;
  parts: number;
  purpose?: string;
}

const maxParts = 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @throws FlightError `not-found` for a path other than the service name; `invalid-argument` for an unreadable command
 */
export function readDescriptor(descriptor: FlightDescriptor, service: string): FlightRequest {
  if (descriptor.path) {
    if (descriptor.path.length === 1 && descriptor.path[0] === service) return {};
    throw new FlightError('not-found', `unknown flight: ${describeDescriptor(descriptor)}`, {
      hint: `request the flight ${service}`,
    });
  }
  const { purpose, endpoints, ...others } = readJson(descriptor.command) ?? refuseCommand('expected a JSON object');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuseCommand(`unknown field "${unknown}"`);
  if (!isPurpose(purpose)) refuseCommand('purpose: expected a string');
  if (endpoints !== undefined && !isCount(endpoints))
    refuseCommand(`endpoints: expected an integer from 1 to ${maxParts}`);
  return {
    ...(purpose !== undefined && { purpose }),
    ...(endpoints !== undefined && { endpoints: endpoints as number }),
  };
}

export function writeTicket(part: FlightPart): Uint8Array {
  return Buffer.from(JSON.stringify(part));
}

/** @throws FlightError `not-found` */
export function readTicket(ticket: Uint8Array, service: string): FlightPart {
  const { service: name, part, parts, purpose } = readJson(ticket) ?? {};
  const isRight =
    name === service &&
    isCount(parts) &&
    Number.isInteger(part) &&
    (part as number) >= 0 &&
    (part as number) < (parts as number);
  if (isRight && isPurpose(purpose)) {
    return { service, part: part as number, parts: parts as number, ...(purpose !== undefined && { purpose }) };
  }
  throw new FlightError('not-found', 'the ticket does not name a flight of this service', {
    hint: `get tickets from GetFlightInfo of ${service}`,
  });
}

function readJson(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isPurpose(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxParts;
}

function refuseCommand(finding: string): never {
  throw new FlightError('invalid-argument', `the command of a descriptor cannot be read: ${finding}`, {
    hint: 'write {"purpose": "billing", "endpoints": 8}, both optional, or the name of the service as path',
  });
}
