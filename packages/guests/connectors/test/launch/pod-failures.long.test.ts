/** What a launcher removes after a preparation that failed half way, with a server that answers like Kubernetes. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { podLauncher } from '../../src/launch/pod/launcher.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

const withoutId = (text: string): string => text.replace(/topo-bench-[0-9a-f]+/g, 'NAME');

interface Request {
  call: string;
  body: string;
}

/** Has one ready node, this machine, and refuses volumes. @returns its requests */
async function startServer(): Promise<Request[]> {
  const requests: Request[] = [];
  const namespaces = new Set<string>();
  const answerOf = (method: string, path: string, body: string): [status: number, answer: object] => {
    if (path.endsWith('/selfsubjectaccessreviews')) return [201, { status: { allowed: true } }];
    if (path.startsWith('/api/v1/nodes')) {
      const status = {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      };
      return [200, { metadata: {}, items: [{ metadata: { name: 'here' }, spec: {}, status }] }];
    }
    if (path === '/api/v1/persistentvolumes') return [422, { kind: 'Status', code: 422, message: 'no host paths' }];
    if (path === '/api/v1/namespaces' && method === 'POST') {
      const { metadata } = JSON.parse(body) as { metadata: { name: string } };
      namespaces.add(metadata.name);
      return [201, { metadata: { uid: 'of the namespace' } }];
    }
    if (path.endsWith('/persistentvolumeclaims')) return [201, { metadata: { uid: 'of the claim' } }];
    if (path.startsWith('/api/v1/persistentvolumes/'))
      return [404, { kind: 'Status', code: 404, message: 'not found' }];
    const [, name = ''] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(path) ?? [];
    if (name && !namespaces.has(name)) return [404, { kind: 'Status', code: 404, message: 'not found' }];
    if (name && method === 'DELETE') namespaces.delete(name);
    return [200, { metadata: { name, uid: 'u', resourceVersion: '1' }, status: {}, items: [] }];
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '' } = request;
    requests.push({ call: `${method} ${withoutId(url)}`, body: withoutId(body) });
    const [status, answer] = answerOf(method, url.split('?')[0] as string, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    // A watch has no end.
    if (url.includes('watch=')) response.flushHeaders();
    else response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const kubeconfig = join(temporaryFolder(), 'kubeconfig');
  const { port } = server.address() as AddressInfo;
  const config = {
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  vi.stubEnv('KUBECONFIG', kubeconfig);
  return requests;
}

async function requestsOfRefusedVolume(): Promise<Request[]> {
  const requests = await startServer();
  const launcher = podLauncher({ builtFolder: '/nowhere', image: 'none' });
  await launcher.filePath('/data/table.parquet');
  await expect(launcher.prepare()).rejects.toMatchObject({ code: 'TB_CLUSTER_REFUSED' });
  await launcher.close();
  return requests;
}

it('the namespace of a launcher whose volumes are refused is removed', async () => {
  const requests = await requestsOfRefusedVolume();
  const calls = requests.map(({ call }) => call);
  expect(calls).toContain('POST /api/v1/namespaces');
  expect(calls).toContain('DELETE /api/v1/namespaces/NAME');
});

// Kubernetes 1.34: half of the volumes without the uid were bound by the resync only, 3 to 15 s later.
it('a volume has the uid of its claim, which accepts no other volume', async () => {
  const requests = await requestsOfRefusedVolume();
  const created = (kind: string) =>
    requests
      .filter(({ call }) => call.startsWith('POST'))
      .find(({ body }) => body.includes(`"kind":"${kind}","metadata"`));
  const claim = JSON.parse(created('PersistentVolumeClaim')?.body ?? '');
  const volume = JSON.parse(created('PersistentVolume')?.body ?? '');
  expect(volume.spec.claimRef).toMatchObject({ namespace: 'NAME', name: claim.metadata.name, uid: 'of the claim' });
  expect(claim.spec.volumeName).toBeUndefined();
  expect(volume.metadata.labels).toMatchObject(claim.spec.selector.matchLabels);
  expect(claim.spec.selector.matchLabels).toEqual({ 'dev.topo-bench.volume': 'NAME-file-0' });
});
