/**
 * Access of the load to a service over Flight: log-in and certificates. Jobs carry only names of variables and files.
 * The process that uses the secrets reads them, and never passes them on.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { FlightClient, FlightError } from '@topo-bench/arrow-flight';
import { clientUser, TopoBenchError } from '@topo-bench/core';

export interface FlightAccess {
  login?: {
    user: string;
    /** Name of the environment variable with the password. */
    password: string;
  };
  /** Token of clients: the password over Flight where there is no login, and a header over HTTP. */
  token?: string;
  /** Paths of PEM files. `certificate` and `key` are for services that require client certificates. */
  tls?: { ca: string; serverName?: string | undefined; certificate?: string | undefined; key?: string | undefined };
}

type ClientTls = NonNullable<NonNullable<ConstructorParameters<typeof FlightClient>[1]>['tls']>;

/** TLS options and log-in of a stream's client. */
export interface Credentials {
  login?: { user: string; password: string };
  token?: string;
  tls?: ClientTls;
}

/**
 * @throws TopoBenchError `TB_LOAD_ACCESS` when a variable is not set, or a file cannot be read or is no PEM file of its
 *   kind
 */
export async function readCredentials({ login, token, tls }: FlightAccess): Promise<Credentials> {
  const user = login ? readLogin(login) : token === undefined ? undefined : { user: clientUser, password: token };
  return {
    ...(user && { login: user }),
    ...(token !== undefined && { token }),
    ...(tls && { tls: await readTls(tls) }),
  };
}

function readLogin({
  user,
  password: variable,
}: NonNullable<FlightAccess['login']>): NonNullable<Credentials['login']> {
  const password = process.env[variable];
  if (password !== undefined) return { user, password };
  throw new TopoBenchError(
    'TB_LOAD_ACCESS',
    `no password for "${user}": the environment variable ${variable} is not set`,
    {
      hint: `set ${variable} in the environment of topo-bench`,
    },
  );
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
    throw new TopoBenchError('TB_LOAD_ACCESS', `cannot use ${files}: ${(cause as Error).message}`, {
      cause,
      hint: 'use PEM files, and the key that belongs to the certificate',
    });
  }
  return tls;
}

async function readPem(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: Error) => {
    throw new TopoBenchError('TB_LOAD_ACCESS', `cannot read a certificate or key: ${cause.message}`, { cause });
  });
}

/** Does nothing without a log-in. @throws the error of the service or the network */
export async function logIn(client: FlightClient, { login }: Credentials, signal: AbortSignal): Promise<void> {
  if (login) await client.authenticateBasic(login.user, login.password, { signal });
}

/**
 * Connects to the service once, logs in, and disconnects.
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
    // The log-in succeeded; the service has no actions.
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
      hint: `check the password in the environment variable ${login.password}`,
    });
  }
  const trusting = tls ? ` with trust in ${tls.ca}` : '';
  const shown = tls?.certificate === undefined ? '' : `; the service must trust the authority of ${tls.certificate}`;
  return new TopoBenchError(
    'TB_LOAD_ACCESS',
    `the load cannot connect to the service at ${url}${trusting}: ${reason}`,
    {
      cause: error,
      ...(tls && {
        hint: `set the authority (\`ca\`) and the name in the certificate (\`serverName\`) in \`flight.client\` of the experiment${shown}`,
      }),
    },
  );
}
