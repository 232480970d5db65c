import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyEntry } from '@topo-bench/studies';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { makeCertificates } from '../packages/libraries/http2/test/fixtures/certificates.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const password = 'hunter2-of-the-test';
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: guarded
topology: guarded.yaml
repetitions: 1
load: { driver: flight }
flight: { streams: 2, rows: 5000, batchRows: 500, client: { CLIENT } }
warmup: { window: 20ms, change: 90%, max: 200ms }
`;

/** Every file below a folder, as text. */
function textsOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('run, moving tables of a service that requires a log-in (needs openssl)', () => {
  const folder = temporaryFolder();
  // What is described runs even when it is skipped.
  const certificates = hasOpenssl ? makeCertificates() : { files: ['', '', ''], key: '', remove: () => undefined };
  afterAll(() => certificates.remove());
  const [ca, certificate, key] = certificates.files;
  const write = (service: string, client: string, lines = ''): string => {
    const topology = `apiVersion: topo-bench/v1\nkind: Topology\nname: guarded\nservices: [{ name: table, arrow: { flight: { ${service} } } }]\n`;
    writeFileSync(join(folder, 'guarded.yaml'), topology);
    const file = join(folder, 'guarded-experiment.yaml');
    writeFileSync(file, experiment.replace('CLIENT', client) + lines);
    return file;
  };
  const run = (file: string, out: string, ...more: string[]) =>
    topoBench(['run', file, '--out', out, ...more], {
      cwd: folder,
      env: { TABLE_PASSWORD: password, OTHER_PASSWORD: 'wrong' },
    });

  const login = 'login: { user: ada, password: env TABLE_PASSWORD }';
  const mutual = `tls: { certificate: ${certificate}, key: ${key}, clientCa: ${ca} }`;
  const shown = `ca: ${ca}, certificate: ${certificate}, key: ${key}`;

  it('logs in and shows a certificate in both directions, with TLS as a factor, and keeps its secrets', async () => {
    const file = write(`${login}, ${mutual}`, shown, 'factors: { operation: [get, put], tls: [false, true] }\n');
    const { code, stdout, stderr } = await run(file, 'both', '--json');
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells).toHaveLength(4);
    for (const { factors, flight, validity } of cells) {
      expect(validity, stderr).toMatchObject({ valid: true, reasons: [] });
      expect(flight).toMatchObject({ rows: 10_000, access: { login: true, tls: factors.tls ? 'mutual' : 'none' } });
    }
    const everything = stdout + stderr + textsOf(join(folder, 'both'));
    // As booleans: a failure would print every file of the run.
    expect(/TLS cost [−\d.]+% of the throughput/.test(everything)).toBe(true);
    expect(everything.includes(password)).toBe(false);
    expect(everything.includes(certificates.key.split('\n')[1] as string)).toBe(false);
  });

  it('fails at once on a wrong password or an untrusted certificate, with a hint', async () => {
    const wrong = await run(write(login, 'login: { user: ada, password: env OTHER_PASSWORD }'), 'wrong');
    expect(wrong.stderr).toMatch(
      /error TB_LOAD_ACCESS: "ada" cannot log in at grpc\+tcp:.*: wrong user name or password/,
    );
    expect(wrong.stderr).toContain('OTHER_PASSWORD');
    expect(wrong.code).toBe(3);
    const unknown = await run(write(`tls: { certificate: ${certificate}, key: ${key} }`, ''), 'unknown');
    expect(unknown.stderr).toMatch(
      /error TB_LOAD_ACCESS: the load cannot connect to the service at grpc\+tls:\S+ with trust in \S+: .*certificate/,
    );
    expect(unknown.stderr).toContain('hint: set the authority (`ca`) and the name in the certificate');
    expect(unknown.code).toBe(3);
    const stranger = makeCertificates();
    try {
      const [, theirs, theirKey] = stranger.files;
      const strange = await run(write(mutual, `ca: ${ca}, certificate: ${theirs}, key: ${theirKey}`), 'strange');
      expect(strange.stderr).toMatch(/error TB_LOAD_ACCESS: the load cannot connect to the service at grpc\+tls:/);
      expect(strange.code).toBe(3);
      const unfit = await run(write(mutual, `ca: ${ca}, certificate: ${certificate}, key: ${theirKey}`), 'unfit');
      expect(unfit.stderr).toMatch(/error TB_LOAD_ACCESS: cannot use .*key/);
      expect(unfit.code).toBe(3);
    } finally {
      stranger.remove();
    }
    const missing = await run(write(login, 'login: { user: ada, password: env NOT_THERE }'), 'missing');
    expect(missing.stderr).toContain(
      'error TB_LOAD_ACCESS: no password for "ada": the environment variable NOT_THERE is not set',
    );
    expect(missing.code).toBe(3);
    // Nothing has been started, and there is nothing to continue.
    expect(() => statSync(join(folder, 'missing'))).toThrow();
  });

  it('is refused before anything runs where the load has no certificate to show, and warns that HTTP has no log-in', async () => {
    const none = await run(write(mutual, ''), 'none');
    expect(none.stderr).toMatch(
      /guarded-experiment\.yaml:7:\d+.*TB_EXPERIMENT_TRANSFER.*serves only clients with a certificate/s,
    );
    expect(none.code).toBe(2);
    const http = await run(write(`${login}, ${mutual}`, shown), 'http', '--set', 'protocol=ndjson', '--json');
    expect(http.stderr).toMatch(/warning: .*is read from `GET \/arrow`, without its `login` and `tls`/);
    expect(http.code, http.stderr).toBe(0);
    expect((JSON.parse(http.stdout).cells as AnyEntry[])[0]?.flight).toMatchObject({
      rows: 10_000,
      access: { login: false, tls: 'none' },
    });
  });
});
