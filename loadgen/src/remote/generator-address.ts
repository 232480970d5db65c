/** The address of a generator host (`load-worker.js --listen`), and the way to it. */
import type { Agent } from 'node:http';

export interface GeneratorAddress {
  /** For messages. */
  name: string;
  /** Id of its machine; default: the one that it reports. */
  host?: string;
  /** Its HTTP address; paths are appended. */
  url: string;
  token: string;
  /** Headers of every request to it, e.g. the credentials of a proxy on the way. */
  headers?: Readonly<Record<string, string>>;
  /** Opens the connections to it. Default: direct connections. */
  agent?: Agent;
  /** Called when it ends early or cannot be reached. @returns the cause and its last lines of output, if known */
  lastWords?(): Promise<readonly string[]>;
}
