/** Certificates for one test: an authority, and one certificate of it that is good for server and client. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  /** Paths of authority, certificate and key. */
  files: [string, string, string];
  ca: string;
  certificate: string;
  key: string;
  remove: () => void;
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'flight-tls-'));
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority', '-days', '2');
  openssl('req', ...key, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=127.0.0.1');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  openssl(
    'x509',
    '-req',
    '-in',
    'request.pem',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'certificate.pem',
    '-days',
    '2',
    '-extfile',
    'names',
  );
  const files: [string, string, string] = [
    join(folder, 'ca.pem'),
    join(folder, 'certificate.pem'),
    join(folder, 'key.pem'),
  ];
  const [ca, certificate, privateKey] = files.map((path) => readFileSync(path, 'utf8')) as [string, string, string];
  return { files, ca, certificate, key: privateKey, remove: () => rmSync(folder, { recursive: true }) };
}
