/** Both drivers check the certificate of a server alike. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { requestDrivers } from '@topo-bench/core/schema/experiment';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificates } from '../../../packages/libraries/http2/test/fixtures/certificates.ts';
import { driverNamed } from '../../src/driver-named.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import type { LoadJob } from '../../src/load-job.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { jobFor } from '../fixtures/server.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('a server with a certificate of an unknown authority (needs openssl)', () => {
  const worker = builtWorker();
  const certificates = hasOpenssl ? makeCertificates() : { ca: '', certificate: '', key: '', remove: () => undefined };
  afterAll(() => certificates.remove());

  async function serveTls(): Promise<string> {
    const { key, certificate: cert } = certificates;
    const server = createServer({ key, cert }, (request, response) => request.resume().on('end', () => response.end()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  const run = (driver: (typeof requestDrivers)[number], url: string, tls?: LoadJob['tls']) =>
    driverNamed(driver, launcherNamed('processes', { workerPath: worker.path })).run(
      jobFor(url, { connections: 1, rateRps: 20, durationUs: 200_000, keepAwake: false, ...(tls && { tls }) }),
    );

  describe.each(requestDrivers)('for driver %s', (driver) => {
    it('is refused with the problem and the flags that help', async () => {
      await expect(run(driver, await serveTls())).rejects.toMatchObject({
        code: 'TB_LOAD_UNREACHABLE',
        message: expect.stringContaining('the issuer of its certificate is unknown here'),
        hint: expect.stringMatching(/--ca or NODE_EXTRA_CA_CERTS, or check no certificate with --insecure/),
      });
    });

    it.each([
      ['its authority is named', () => ({ ca: certificates.ca })],
      ['no certificate is checked', () => ({ insecure: true })],
    ])('is accepted where %s', async (_what, tls) => {
      const { samples } = await run(driver, await serveTls(), tls());
      expect(new Set(samples.status)).toEqual(new Set([200]));
    });
  });
});
