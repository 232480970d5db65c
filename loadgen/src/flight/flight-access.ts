/**
 * How the load gets into a service over Flight: a log-in and certificates. What is handed around are names of variables and files; what is in
 * them is read by the process that uses it, and told to nobody.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { FlightClient, FlightError } from '@topo-bench/arrow-flight';
import { clientUser, TopoBenchError } from '@topo-bench/core';

export interface FlightAccess {
  login?: {
    user: string;
    /** Name of the variable that holds it. */
    password: string;
  };
  /** Token of clients: the password over Flight where there is no login, and a header over HTTP. */
  token?: string;
  /** Paths of PEM files. `certificate` and `key` are for a service that asks for them. */
  tls?: { ca: string; serverName?: string | undefined; certificate?: string | undefined; key?: string | undefined };
}

type ClientTls = NonNullable<NonNullable<ConstructorParameters<typeof FlightClient>[1]>['tls']>;

/** What the client of a stream is made with, and logs in with. */
export interface Credentials {
  login?: { user: string; password: string };
  token?: string;
  tls?: ClientTls;
}

/** @throws TopoBenchError `TB_LOAD_ACCESS` when a variable is not set, or a file cannot be read or is no PEM file of its kind */
export async function readCredentials({ login, token, tls }: FlightAccess): Promise<Credentials> {
  const user = login ? readLogin(login) : token === undefined ? undefined : { user: clientUser, password: token };
  return { ...(user && { login: user }), ...(token !== undefined && { token }), ...(tls && { tls: await readTls(tls) }) };
}

function readLogin({ user, password: variable }: NonNullable<FlightAccess['login']>): NonNullable<Credentials['login']> {
  const password = process.env[variable];
  if (password !== undefined) return { user, password };
  throw new TopoBenchError('TB_LOAD_ACCESS', `the load has no password for "${user}": the variable ${variable} is not set`, {
    hint: `set ${variable} where topo-bench is started`,
  });
}

async function readTls({ ca, serverName, certificate, key }: NonNullable<FlightAccess['tls']>): Promise<ClientTls> {
  const tls = {
    ca: await readPem(ca),
    ...(certificate !== undefined && { certificate: await readPem(certificate) }),
    ...(key !== undefined && { key: await readPem(key) }),
    ...(serverName !== undefined && { serverName }),
  };
  try {
    new X509Certificate(tls.ca);
    createSecureContext({ cert: tls.certificate, key: tls.key });
  } catch (cause) {
    const files = [ca, certificate, key].filter((file) => file !== undefined).join(', ');
    throw new TopoBenchError('TB_LOAD_ACCESS', `the load cannot use ${files}: ${(cause as Error).message}`, {
      cause,
      hint: 'certificates and keys are PEM files, and a key belongs to its certificate',
    });
  }
  return tls;
}

async function readPem(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: Error) => {
    throw new TopoBenchError('TB_LOAD_ACCESS', `the load cannot read a certificate or key: ${cause.message}`, { cause });
  });
}

/** Without a log-in, there is nothing to do. @throws what the service, or the network, says instead */
export async function logIn(client: FlightClient, { login }: Credentials, signal: AbortSignal): Promise<void> {
  if (login) await client.authenticateBasic(login.user, login.password, { signal });
}

/**
 * Enters the service once and leaves it.
 * @param url `grpc+tcp://…` or `grpc+tls://…`
 * @throws TopoBenchError `TB_LOAD_ACCESS`
 */
export async function tryAccess(url: string, access: FlightAccess, signal: AbortSignal): Promise<void> {
  const credentials = await readCredentials(access);
  const client = new FlightClient(url, credentials);
  try {
    await logIn(client, credentials, signal);
    for await (const _ of client.listActions({ signal }));
  } catch (error) {
    // The answer of one that has let us in, and has no actions.
    if (error instanceof FlightError && error.status === 'unimplemented') return;
    throw accessError(url, access, error as Error);
  } finally {
    await client.close(0);
  }
}

function accessError(url: string, { login, tls }: FlightAccess, error: Error): TopoBenchError {
  const reason = error.message.split('\n')[0];
  if (login && error instanceof FlightError && error.status === 'unauthenticated') {
    return new TopoBenchError('TB_LOAD_ACCESS', `"${login.user}" cannot log in at ${url}: ${reason}`, {
      cause: error,
      hint: `the password is what the variable ${login.password} holds`,
    });
  }
  const trusting = tls ? ` with trust in ${tls.ca}` : '';
  const shown = tls?.certificate === undefined ? '' : `; the service must know the authority of ${tls.certificate}`;
  return new TopoBenchError('TB_LOAD_ACCESS', `the load cannot enter the service at ${url}${trusting}: ${reason}`, {
    cause: error,
    ...(tls && {
      hint: `\`flight.client\` of the experiment can name another authority (\`ca\`), and the name in the certificate (\`serverName\`)${shown}`,
    }),
  });
}
