/**
 * The files of KUBECONFIG as one document, merged as kubectl merges them: the first current context and the first
 * definition of a name win, missing files are skipped, and relative paths start at their file. The client library takes
 * the last current context instead, and rejects missing files and equal names.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { parseAllDocuments } from 'yaml';

type Fields = Record<string, unknown>;

interface Entry extends Fields {
  name: string;
}

export interface MergedConfig {
  clusters: Entry[];
  contexts: Entry[];
  users: Entry[];
  'current-context'?: string;
}

export interface ConfigFiles {
  /** Files that exist, in order. */
  files: string[];
  config: MergedConfig;
}

/** Files in which a kubeconfig is looked for, in order. */
export function searchedFiles({ KUBECONFIG }: NodeJS.ProcessEnv = process.env): string[] {
  return KUBECONFIG ? KUBECONFIG.split(delimiter).filter(Boolean) : [join(homedir(), '.kube', 'config')];
}

/** @throws Error that names the file which cannot be read */
export function readConfigFiles(searched: readonly string[]): ConfigFiles {
  const config: MergedConfig = { clusters: [], contexts: [], users: [] };
  const files: string[] = [];
  for (const file of searched) {
    const text = readIfExists(file);
    if (text === undefined) continue;
    files.push(file);
    merge(config, withAbsolutePaths(contentsOf(file, text), dirname(resolve(file))));
  }
  return { files, config: withPlainServers(config) };
}

/**
 * As in kubectl, an address without a scheme is one of `http:` where the cluster has nothing of TLS, and a server of
 * `http:` gets no credentials. The client library refuses such a server unless its certificate need not be checked.
 */
function withPlainServers(config: MergedConfig): MergedConfig {
  const clusters = config.clusters.flatMap((entry) => {
    const cluster = isFields(entry.cluster) ? entry.cluster : {};
    const server = urlOf(String(cluster.server ?? ''), cluster);
    const isUnchecked = isPlain(server) && { 'insecure-skip-tls-verify': true };
    // The client library refuses all entries where one has no server.
    return server === '' ? [] : [{ ...entry, cluster: { ...cluster, server, ...isUnchecked } }];
  });
  const plain = new Set(clusters.flatMap(({ name, cluster }) => (isPlain(cluster.server) ? [name] : [])));
  const contexts = config.contexts.flatMap((entry) => {
    const context = isFields(entry.context) ? entry.context : {};
    if (!context.cluster) return [];
    return [plain.has(String(context.cluster)) ? { ...entry, context: { ...context, user: undefined } } : entry];
  });
  return { ...config, clusters, contexts };
}

const tlsFields = ['certificate-authority', 'certificate-authority-data', 'insecure-skip-tls-verify'];

function urlOf(server: string, cluster: Fields): string {
  if (server === '' || /^https?:\/\//i.test(server)) return server;
  return `http${tlsFields.some((field) => cluster[field]) ? 's' : ''}://${server}`;
}

function isPlain(server: string): boolean {
  return /^http:/i.test(server);
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function contentsOf(file: string, text: string): Fields {
  const failed = (why: string): Error => new Error(`cannot read ${file}: ${why}`);
  // As in kubectl, merge keys (<<) have an effect, and further documents have none.
  const [document] = parseAllDocuments(text, { merge: true });
  const [fault] = document?.errors ?? [];
  if (fault) throw failed(fault.message);
  let contents: unknown;
  try {
    contents = document?.toJS() ?? {};
  } catch (error) {
    throw failed((error as Error).message);
  }
  if (!isFields(contents)) throw failed('it is not a kubeconfig');
  const current = contents['current-context'] ?? '';
  if (typeof current !== 'string') throw failed(`current-context: got ${current}, expected a text in quotes`);
  for (const list of lists) {
    const names = entriesOf(contents[list]).map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) throw failed(`got two ${list} with the name ${twice}`);
  }
  return contents;
}

const lists = ['clusters', 'contexts', 'users'] as const;

function merge(into: MergedConfig, from: Fields): void {
  for (const list of lists) {
    for (const entry of entriesOf(from[list])) {
      if (!into[list].some(({ name }) => name === entry.name)) into[list].push(entry);
    }
  }
  const current = from['current-context'];
  if (typeof current === 'string' && current !== '') into['current-context'] ??= current;
}

function withAbsolutePaths(config: Fields, folder: string): Fields {
  const absolute = (fields: unknown, names: readonly string[]): Fields => {
    const all = isFields(fields) ? fields : {};
    const paths = names.flatMap((name) => {
      const path = all[name];
      return typeof path === 'string' && path !== '' ? [[name, resolve(folder, path)]] : [];
    });
    return { ...all, ...Object.fromEntries(paths) };
  };
  const clusters = entriesOf(config.clusters).map((entry) => ({
    ...entry,
    ...(isFields(entry.cluster) && { cluster: absolute(entry.cluster, ['certificate-authority']) }),
  }));
  const users = entriesOf(config.users).map((entry) => {
    const user = absolute(entry.user, ['client-certificate', 'client-key', 'tokenFile']);
    const { exec } = user;
    // A bare name is looked up on the PATH.
    const isPath = isFields(exec) && typeof exec.command === 'string' && exec.command.includes(sep);
    return { ...entry, user: isPath ? { ...user, exec: absolute(exec, ['command']) } : user };
  });
  return { ...config, clusters, users };
}

function entriesOf(list: unknown): Entry[] {
  return Array.isArray(list)
    ? list.filter(isFields).map((entry) => ({ ...entry, name: String(entry.name ?? '') }))
    : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
