/**
 * The link between a coordinator and a generator on another host: one HTTP/1.1 connection that both sides upgrade to
 * framed messages. Proxies that pass WebSockets pass it, such as the API server of Kubernetes. `GET /health` (no token)
 * → 200 · `GET /link` with `Upgrade` and the token → 101, 401 (token), 409 (in use) or 426 (other protocol).
 */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { HostUse } from '@topo-bench/host';
import type { FromGenerator, ToGenerator } from '../generator/messages.ts';

/** Both sides must have the same; the number changes with the messages. */
export const linkProtocol = 'topo-bench-load-1';
export const linkPath = '/link';
export const healthPath = '/health';

export const linkHeaders = {
  /** Proof that the caller may use the generator. A proxy may take `authorization` for itself. */
  token: 'x-topo-generator-token',
  /** Random id of a coordinator: a generator serves one coordinator at a time. */
  coordinator: 'x-topo-coordinator',
} as const;

/** Requests to the host of a generator, each with an answer. */
export interface HostCalls {
  /** Real-time priority for threads of the generator; undefined: for all. */
  prioritise: { asked: { threads: readonly number[] | undefined }; answer: boolean };
  /** Keeps the cores of the host from sleeping until the link ends. */
  keepAwake: { asked: Record<string, never>; answer: boolean };
  /** Ends the generator. The answer comes when it has ended. */
  end: { asked: Record<string, never>; answer: true };
  /** Watches the host between two instants of its own clock. */
  watch: { asked: { fromUs: number; untilUs: number }; answer: HostUse | undefined };
}

export type HostCall = {
  [Name in keyof HostCalls]: { name: Name; asked: HostCalls[Name]['asked'] };
}[keyof HostCalls];

export type ToHost =
  /** The first message: starts the generator. */
  | { type: 'launch'; driver: DriverName }
  | { type: 'forward'; message: ToGenerator }
  | { type: 'call'; id: number; call: HostCall };

export type FromHost =
  /** The first message. `host`: id of the machine. */
  | { type: 'hello'; host: string }
  | { type: 'message'; message: FromGenerator }
  | { type: 'answer'; id: number; answer: unknown }
  /** The generator ended early. */
  | { type: 'death'; reason: string; lines: readonly string[] };
