/**
 * Credentials that a kubeconfig only refers to: the output of a plug-in (exec), and tokens in files. The client library
 * waits for a plug-in without a limit, does not know `tokenFile`, and sends a token with the line break of its file.
 */
import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { TopoBenchError } from '@topo-bench/core';
import { programResult } from '@topo-bench/host';
import type { MergedConfig } from './kube-config-files.ts';

/** Time for a login that needs the user. */
const pluginTimeoutMs = 60_000;
/** The server may replace a credential that states no end. */
const keptWithoutExpiryMs = 10 * 60_000;

interface Plugin {
  apiVersion?: string;
  command?: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  installHint?: string;
}

interface Credential {
  expirationTimestamp?: string;
  token?: string;
  clientCertificateData?: string;
  clientKeyData?: string;
}

interface Reference {
  exec?: Plugin;
  tokenFile?: string;
}

/** Takes the references out of a configuration, for `ReferredCredentials`. */
export function splitCredentials(config: MergedConfig): { config: MergedConfig; references: Map<string, Reference> } {
  const references = new Map<string, Reference>();
  const users = config.users.map((entry) => {
    const { exec, tokenFile, ...user } = (entry.user ?? {}) as Record<string, unknown> & Reference;
    if (!exec && !tokenFile) return entry;
    references.set(entry.name, exec ? { exec } : { tokenFile: tokenFile as string });
    // The file is newer than a token next to it.
    const { token: _token, ...others } = user;
    return { ...entry, user: others };
  });
  return { config: { ...config, users }, references };
}

/** An authenticator of the client library. */
export class ReferredCredentials {
  readonly #references: ReadonlyMap<string, Reference>;
  readonly #timeoutMs: number;
  readonly #known = new Map<string, { untilMs: number; credential: Promise<Credential> }>();

  constructor(references: ReadonlyMap<string, Reference>, timeoutMs = pluginTimeoutMs) {
    this.#references = references;
    this.#timeoutMs = timeoutMs;
  }

  isAuthProvider({ name }: { name: string }): boolean {
    return this.#references.has(name);
  }

  /** @throws TopoBenchError `TB_CLUSTER_CREDENTIALS` */
  async applyAuthentication({ name }: { name: string }, options: RequestOptions): Promise<void> {
    const { exec, tokenFile } = this.#references.get(name) as Reference;
    const credential = exec ? await this.#ofPlugin(name, exec) : { token: await tokenIn(tokenFile as string) };
    const { token, clientCertificateData, clientKeyData } = credential;
    if (clientCertificateData !== undefined) options.cert = clientCertificateData;
    if (clientKeyData !== undefined) options.key = clientKeyData;
    if (token) options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
  }

  /** Kept until it expires, as kubectl does; requests at the same time share one call. */
  #ofPlugin(name: string, plugin: Plugin): Promise<Credential> {
    const now = Date.now();
    const known = this.#known.get(name);
    if (known && now < known.untilMs) return known.credential;
    const entry = { untilMs: Number.POSITIVE_INFINITY, credential: runPlugin(plugin, this.#timeoutMs) };
    this.#known.set(name, entry);
    entry.credential.then(
      ({ expirationTimestamp }) => {
        entry.untilMs = expirationTimestamp === undefined ? now + keptWithoutExpiryMs : Date.parse(expirationTimestamp);
      },
      () => this.#known.delete(name),
    );
    return entry.credential;
  }
}

async function tokenIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw failed(`cannot read the token of the kubeconfig: ${cause.message}`, 'renew the file', cause);
  });
  const token = text.trim();
  if (token === '') throw failed(`the token of the kubeconfig is empty: ${file}`, 'renew the file');
  return token;
}

async function runPlugin(
  { apiVersion, command, args, env, installHint }: Plugin,
  timeoutMs: number,
): Promise<Credential> {
  if (!command) throw failed('the credential plug-in of the kubeconfig has no command', 'correct `exec` of the user');
  const what = `the credential plug-in ${command} of the kubeconfig`;
  const hint = 'run `kubectl version` once, which calls it too, and log in';
  const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
  const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const { stdout, stderr, failure } = await programResult(command, args ?? [], {
    timeoutMs,
    env: { ...process.env, KUBERNETES_EXEC_INFO: info, ...variables },
  });
  if (failure?.kind === 'timeout') throw failed(`${what} did not end within ${timeoutMs / 1000} s`, hint);
  if (failure?.kind === 'missing') throw failed(`${what} is not installed`, installHint ?? hint);
  if (failure) throw failed(`${what} failed: ${stderr.trim() || failure.message}`, hint);
  const credential = credentialIn(stdout);
  if (credential?.token || (credential?.clientCertificateData && credential.clientKeyData)) return credential;
  throw failed(`${what} printed no ExecCredential with a token, or a certificate and its key`, hint);
}

/** The output is not quoted in errors: it has secrets. */
function credentialIn(stdout: string): Credential | undefined {
  try {
    const { status } = JSON.parse(stdout) as { status?: Credential };
    return status;
  } catch {
    return undefined;
  }
}

function failed(message: string, hint: string, cause?: Error): TopoBenchError {
  return new TopoBenchError('TB_CLUSTER_CREDENTIALS', message, { hint, ...(cause && { cause }) });
}
