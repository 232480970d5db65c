/** The command line of a connector: `connector.js STORE COMMAND [--config FILE] [--catalog FILE] [--state FILE]`. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { ConfiguredCatalog, StreamState } from '../protocol/messages.ts';
import { type StoreName, storeNames } from '../stores/store-connector.ts';
import { type InputUse, inputFlags, inputUseOf } from './input-lifeline.ts';

export const commands = ['spec', 'check', 'discover', 'read'] as const;
export type Command = (typeof commands)[number];

export interface CommandLine extends InputUse {
  store: StoreName;
  command: Command;
  config?: string;
  catalog?: string;
  state?: string;
  /** File with the address to which messages are sent instead of standard output. */
  deliverTo?: string;
  /** Ends a full refresh after this number of rows of each stream. */
  limitRows?: number;
}

/** @throws TopoBenchError `TB_USAGE` */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parsed(args);
  const [store, command] = positionals;
  const { config, catalog, state, 'deliver-to': deliverTo, 'limit-rows': limit } = values;
  if (!isOneOf(storeNames, store)) throw usage(`store: got ${store}, expected ${storeNames.join(', ')}`);
  if (!isOneOf(commands, command)) throw usage(`command: got ${command}, expected ${commands.join(', ')}`);
  if (command !== 'spec' && config === undefined) throw usage(`${command}: got no --config, expected a file`);
  if (command === 'read' && catalog === undefined) throw usage('read: got no --catalog, expected a file');
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) throw usage(`--limit-rows: got ${limit}, expected a number`);
  const files = { config, catalog, state, deliverTo };
  const given = Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
  const limited = limit === undefined ? {} : { limitRows: Number(limit) };
  return { store, command, ...inputUseOf(values), ...given, ...limited };
}

/** @throws TopoBenchError `TB_USAGE` */
export async function readCatalog(file: string): Promise<ConfiguredCatalog> {
  const catalog = await readDocument<ConfiguredCatalog>(file, '--catalog');
  if (Array.isArray(catalog?.streams)) return catalog;
  throw usage(`--catalog ${file}: got no list of \`streams\`, expected a configured catalog`);
}

/** A list of states, or one; a state of the type LEGACY has no streams and is ignored. */
export async function readStates(file: string | undefined): Promise<StreamState[]> {
  if (file === undefined) return [];
  const states = await readDocument<unknown>(file, '--state');
  return [states].flat().filter((state): state is StreamState => (state as StreamState)?.type === 'STREAM');
}

/** @throws TopoBenchError `TB_USAGE` */
export async function readDocument<Document>(file: string, flag: string): Promise<Document> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw usage(`${flag} ${file} cannot be read: ${systemErrorText(cause)}`);
  });
  try {
    return JSON.parse(text) as Document;
  } catch {
    // The parser's message would quote the text, which may contain a password.
    throw usage(`${flag} ${file}: got text that is no JSON`);
  }
}

function parsed(args: readonly string[]) {
  const file = { type: 'string' } as const;
  const options = { config: file, catalog: file, state: file, 'deliver-to': file, 'limit-rows': file } as const;
  try {
    return parseArgs({ args: [...args], options: { ...options, ...inputFlags }, allowPositionals: true });
  } catch (error) {
    throw usage((error as Error).message);
  }
}

function isOneOf<Name extends string>(names: readonly Name[], name: string | undefined): name is Name {
  return (names as readonly (string | undefined)[]).includes(name);
}

export function usage(message: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', message, {
    hint: `usage: connector.js ${storeNames.join('|')} ${commands.join('|')} [--config FILE] [--catalog FILE] [--state FILE]`,
  });
}
