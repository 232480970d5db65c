import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connectEngine, engineAddresses } from '../src/index.ts';

const home = mkdtempSync(join(tmpdir(), 'topo-bench-engines-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A home directory with these contexts, the first of which is current. */
function homeWith(name: string, contexts: Record<string, string>): string {
  const folder = join(home, name);
  for (const [context, host] of Object.entries(contexts)) {
    const id = createHash('sha256').update(context).digest('hex');
    const meta = join(folder, '.docker/contexts/meta', id);
    mkdirSync(meta, { recursive: true });
    writeFileSync(
      join(meta, 'meta.json'),
      JSON.stringify({ Name: context, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } }),
    );
  }
  const [currentContext] = Object.keys(contexts);
  writeFileSync(join(folder, '.docker/config.json'), JSON.stringify({ auths: {}, currentContext }));
  return folder;
}

const urls = (...args: Parameters<typeof engineAddresses>): string[] => engineAddresses(...args).map(({ url }) => url);

describe('addresses of engines', () => {
  const two = homeWith('two', { desktop: 'unix:///home/ann/desktop.sock', lab: 'ssh://ann@lab' });

  it('prefers the context that was named, then DOCKER_HOST, then DOCKER_CONTEXT, then the current context', () => {
    const env = { DOCKER_HOST: 'tcp://build:2375', DOCKER_CONTEXT: 'lab' };
    expect(urls({ context: 'desktop', env, home: two })).toEqual(['unix:///home/ann/desktop.sock']);
    expect(urls({ env, home: two })).toEqual(['tcp://build:2375']);
    expect(urls({ env: { DOCKER_CONTEXT: 'lab' }, home: two })).toEqual(['ssh://ann@lab']);
    expect(urls({ env: {}, home: two })).toEqual(['unix:///home/ann/desktop.sock']);
  });

  it('takes a host without a scheme as a TCP address', () => {
    expect(urls({ env: { DOCKER_HOST: 'build:2375' }, home: two })).toEqual(['tcp://build:2375']);
  });

  it('reads certificates from the folder of DOCKER_CERT_PATH when DOCKER_TLS_VERIFY is set', () => {
    const env = { DOCKER_HOST: 'tcp://build:2376', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: '/certificates' };
    expect(engineAddresses({ env, home: two })).toEqual([
      { url: 'tcp://build:2376', source: 'DOCKER_HOST', tlsFolder: '/certificates' },
    ]);
  });

  it('names the contexts that exist when one does not', () => {
    expect(() => engineAddresses({ context: 'labs', env: {}, home: two })).toThrow(
      expect.objectContaining({
        code: 'TB_ENGINE_ADDRESS',
        message: expect.stringMatching(/"labs", expected one of "default", .*"lab"/),
      }),
    );
  });

  it.skipIf(process.platform !== 'linux')(
    "finds Podman's user socket next to that of Docker, which comes first",
    () => {
      const runtime = join(home, 'runtime');
      mkdirSync(join(runtime, 'podman'), { recursive: true });
      writeFileSync(join(runtime, 'podman/podman.sock'), '');
      const found = urls({ env: { XDG_RUNTIME_DIR: runtime }, home: join(home, 'nothing') });
      expect(found).toContain(`unix://${runtime}/podman/podman.sock`);
      expect(found.indexOf('unix:///var/run/docker.sock')).toBeLessThanOrEqual(0);
    },
  );
});

describe('a connection that fails', () => {
  const failureOf = (DOCKER_HOST: string, more: NodeJS.ProcessEnv = {}): Promise<Error & { hint?: string }> =>
    connectEngine({ env: { DOCKER_HOST, ...more }, home }).then(
      () => Promise.reject(new Error('connected')),
      (error) => error,
    );

  it('names the address, its origin and the way out', async () => {
    const error = await failureOf(`unix://${home}/none.sock`);
    expect(error).toMatchObject({ code: 'TB_ENGINE_NOT_FOUND', hint: expect.stringContaining('set DOCKER_HOST') });
    expect(error.message).toContain(`${home}/none.sock, DOCKER_HOST: there is no such socket`);
  });

  it('names a port on which nothing listens', async () => {
    expect((await failureOf('tcp://127.0.0.1:1')).message).toContain('nothing listens there');
  });

  it('refuses an address that no engine can have', async () => {
    const error = await failureOf('ftp://build/');
    expect(error).toMatchObject({ code: 'TB_ENGINE_ADDRESS', message: expect.stringContaining('got "ftp://build/"') });
  });

  it('names the certificate that is missing', async () => {
    const error = await failureOf('tcp://127.0.0.1:1', { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: home });
    expect(error).toMatchObject({ code: 'TB_ENGINE_ADDRESS', message: expect.stringContaining(`${home}/ca.pem`) });
  });
});
