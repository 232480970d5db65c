/**
 * Passwords and certificates of Flight endpoints, read where the user runs topo-bench. A role in a container or on
 * another host has neither the variables nor the files.
 */
import { readFile } from 'node:fs/promises';
import { type FlightSecrets, TopoBenchError } from '@topo-bench/core';
import type { ArrowFlight } from '@topo-bench/core/schema/arrow';
import type { Graph } from '@topo-bench/topology';

/**
 * @returns by service; empty if no service has a login or TLS
 * @throws TopoBenchError `TB_ROLE_NOT_READY` for a missing variable or file
 */
export async function readFlightSecrets({ services }: Graph): Promise<Record<string, FlightSecrets>> {
  const read = services.map(async ({ name, arrow }) => {
    const { login, tls } = arrow?.flight ?? {};
    if (!login && !tls?.enabled) return [];
    return [[name, { ...passwordOf(name, login), ...(await certificatesOf(name, tls)) }] as const];
  });
  return Object.fromEntries((await Promise.all(read)).flat());
}

function passwordOf(service: string, login: ArrowFlight['login']): Pick<FlightSecrets, 'password'> {
  if (!login) return {};
  const password = process.env[login.password];
  if (password !== undefined) return { password };
  throw notReady(`the service "${service}" has no password for Flight: the variable ${login.password} is not set`);
}

async function certificatesOf(service: string, tls: ArrowFlight['tls']): Promise<Pick<FlightSecrets, 'tls'>> {
  if (!tls?.enabled) return {};
  const read = (file: string): Promise<string> =>
    readFile(file, 'utf8').catch((error: Error) => {
      throw notReady(`the service "${service}" cannot read a file for TLS: ${error.message}`);
    });
  const [certificate, key] = await Promise.all([read(tls.certificate), read(tls.key)]);
  return { tls: { certificate, key, ...(tls.clientCa !== undefined && { clientCa: await read(tls.clientCa) }) } };
}

function notReady(message: string): TopoBenchError {
  const hint = 'correct `arrow.flight` of the service, or provide the variable or file that it names';
  return new TopoBenchError('TB_ROLE_NOT_READY', message, { hint });
}
