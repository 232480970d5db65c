/** A store study of a service whose Flight SQL asks for client certificates: its queries are checked all the same. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { makeCertificates } from '../packages/libraries/http2/test/fixtures/certificates.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('run, over a store whose queries need a client certificate (needs openssl)', () => {
  const folder = temporaryFolder();
  const certificates = hasOpenssl ? makeCertificates() : { files: ['', '', ''], remove: () => undefined };
  afterAll(() => certificates.remove());
  const [ca, certificate, key] = certificates.files;
  const topology = `apiVersion: topo-bench/v1
kind: Topology
name: queries
services:
  - name: orders
    persistence: { store: sql-indexed, rows: 300 }
    arrow: { flight: { sql: {}, tls: { certificate: ${certificate}, key: ${key}, clientCa: ${ca} } } }
`;
  const run = (client: string, out: string) => {
    const file = join(folder, `${out}.yaml`);
    writeFileSync(join(folder, 'queries.yaml'), topology);
    const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\ntopology: queries.yaml\nrepetitions: 1\n';
    const load = 'load: { driver: autocannon, connections: 2 }\nduration: 500ms\ndrain: 20s\nwarmup: { max: 0s }\n';
    const study = `persistence: { workload: mixed${client} }\nvalidity: { maxErrorShare: 50%, remeasure: 0% }\n`;
    writeFileSync(file, head + load + study);
    return topoBench(['run', file, '--out', out, '--json'], { cwd: folder });
  };

  it('checks the queries with the certificate of the experiment', async () => {
    const shown = `, client: { ca: ${ca}, certificate: ${certificate}, key: ${key} }`;
    const { code, stdout, stderr } = await run(shown, 'shown');
    expect(code, stderr).toBe(0);
    const [cell] = JSON.parse(stdout).cells as [Cell];
    expect(cell.validity.reasons).toEqual([]);
    expect(cell.decisions.wrong).toBe(0);
  });

  it('is refused in advance without a certificate, and with a missing file', async () => {
    const none = await run('', 'none');
    expect(none.stderr).toContain('Flight SQL of the service "orders" needs a client certificate');
    expect(none.code).toBe(2);
    const missing = await run(`, client: { ca: ${ca}, certificate: no.pem, key: ${key} }`, 'missing');
    expect(missing.stderr).toContain('TB_LOAD_ACCESS: cannot read a certificate or key');
    expect(missing.code).toBe(3);
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});
