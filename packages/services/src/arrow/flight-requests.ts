/** What callers ask of a service's flight: a purpose, and a part of the whole. Descriptors and tickets are theirs to write, so all of it is checked. */
import { describeDescriptor, type FlightDescriptor, FlightError } from '@topo-bench/arrow-flight';

/** A command is JSON: `{ "purpose": "billing", "endpoints": 8 }`, both optional. A path is the name of the service alone. */
export interface FlightRequest {
  purpose?: string;
  endpoints?: number;
}

/** One stream of a flight. */
export interface FlightPart {
  service: string;
  part: number;
  parts: number;
  purpose?: string;
}

const mostParts = 1024;

/** @throws FlightError `not-found` for other paths than the service's, `invalid-argument` for commands that cannot be read */
export function readDescriptor(descriptor: FlightDescriptor, service: string): FlightRequest {
  if (descriptor.path) {
    if (descriptor.path.length === 1 && descriptor.path[0] === service) return {};
    throw new FlightError('not-found', `there is no flight ${describeDescriptor(descriptor)} here`, {
      hint: `the only one is ${service}`,
    });
  }
  const { purpose, endpoints, ...others } = readJson(descriptor.command) ?? refuseCommand('it is not a JSON object');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuseCommand(`it has the field "${unknown}"`);
  if (!isPurpose(purpose)) refuseCommand('its purpose is no text');
  if (endpoints !== undefined && !isCount(endpoints)) refuseCommand(`its endpoints are no whole number from 1 to ${mostParts}`);
  return { ...(purpose !== undefined && { purpose }), ...(endpoints !== undefined && { endpoints: endpoints as number }) };
}

export function writeTicket(part: FlightPart): Uint8Array {
  return Buffer.from(JSON.stringify(part));
}

/** @throws FlightError `not-found` */
export function readTicket(ticket: Uint8Array, service: string): FlightPart {
  const { service: name, part, parts, purpose } = readJson(ticket) ?? {};
  const isRight =
    name === service && isCount(parts) && Number.isInteger(part) && (part as number) >= 0 && (part as number) < (parts as number);
  if (isRight && isPurpose(purpose)) {
    return { service, part: part as number, parts: parts as number, ...(purpose !== undefined && { purpose }) };
  }
  throw new FlightError('not-found', 'the ticket names no flight of this service', {
    hint: `ask GetFlightInfo for tickets of ${service}`,
  });
}

function readJson(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isPurpose(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= mostParts;
}

function refuseCommand(finding: string): never {
  throw new FlightError('invalid-argument', `the command of a descriptor cannot be read: ${finding}`, {
    hint: 'write {"purpose": "billing", "endpoints": 8}, both optional, or the name of the service as path',
  });
}
