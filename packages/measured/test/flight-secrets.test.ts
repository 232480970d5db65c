import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Graph, graphOf } from '@topo-bench/topology';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { readFlightSecrets } from '../src/flight-secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'flight-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

function fileWith(text: string): string {
  const path = join(folder, `${text}.pem`);
  writeFileSync(path, text);
  return path;
}

function graphWith(flight: object): Graph {
  return graphOf({
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 't',
    services: [{ name: 'plain', arrow: { flight: {} } }, { name: 'guarded', arrow: { flight } }, { name: 'other' }],
  });
}

const login = { user: 'ada', password: 'env TEST_SECRET_OF_FLIGHT' };

describe('the secrets of Flight endpoints', () => {
  it('are the password and the contents of the files, of the services with a login or TLS', async () => {
    vi.stubEnv('TEST_SECRET_OF_FLIGHT', 'sécret');
    const tls = { certificate: fileWith('certificate'), key: fileWith('key') };
    expect(await readFlightSecrets(graphWith({ login, tls: { ...tls, clientCa: fileWith('ca') } }))).toEqual({
      guarded: { password: 'sécret', tls: { certificate: 'certificate', key: 'key', clientCa: 'ca' } },
    });
    expect(await readFlightSecrets(graphWith({ tls }))).toEqual({
      guarded: { tls: { certificate: 'certificate', key: 'key' } },
    });
    expect(await readFlightSecrets(graphWith({ tls: { ...tls, enabled: false } }))).toEqual({});
  });

  it('are required, and the missing one is named', async () => {
    await expect(readFlightSecrets(graphWith({ login }))).rejects.toMatchObject({
      code: 'TB_ROLE_NOT_READY',
      message: expect.stringContaining('TEST_SECRET_OF_FLIGHT is not set'),
    });
    const tls = { certificate: fileWith('certificate'), key: '/nowhere/key.pem' };
    await expect(readFlightSecrets(graphWith({ tls }))).rejects.toThrow(/"guarded" cannot read .*\/nowhere\/key\.pem/);
  });
});
