import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReferredCredentials } from '../../src/kubernetes/cluster-credentials.ts';
import { connectCluster } from '../../src/kubernetes/connect-cluster.ts';
import { loadKubeConfig } from '../../src/kubernetes/kube-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'topo-bench-kube-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const files: Record<string, string> = {
  'a/config': `apiVersion: v1
kind: Config
clusters: [{ name: one, cluster: { server: "https://a-one:1", certificate-authority: ca.pem } }]
contexts: [{ name: x, context: { cluster: one, user: u } }]
users: [{ name: u, user: { token: of-a } }]
`,
  'b/config': `current-context: second
clusters:
  - { name: one, cluster: { server: "https://b-one:1", tls-server-name: b } }
  - { name: two, cluster: { server: "https://b-two:1", certificate-authority: ca.pem } }
contexts:
  - { name: x, context: { cluster: two, user: u, namespace: b } }
  - { name: second, context: { cluster: two, user: v } }
users: [{ name: u, user: { token: of-b } }, { name: v, user: { token: v } }]
`,
  'c/config': `current-context: third
contexts: [{ name: third, context: { cluster: one, user: v } }]
`,
  'd/config': `current-context: fourth
clusters:
  - { name: base, cluster: &base { server: "https://d-base:1", certificate-authority: ca.pem } }
  - { name: four, cluster: { <<: *base, server: "https://d-four:1" } }
contexts: [{ name: fourth, context: { cluster: four, user: w } }]
users: [{ name: w, user: { token: w } }]
`,
  'e/config': `clusters: [{ name: one, cluster: {} }, { name: none }]
contexts: [{ name: x, context: {} }, { name: empty }]
---
current-context: other
`,
  twice: 'users: [{ name: u, user: { token: a } }, { name: u, user: { token: b } }]\n',
  number: 'current-context: 123\n',
  aliases: 'users: [{ name: u, user: *missing }]\n',
  empty: '',
  'a/ca.pem': 'authority of a',
  'b/ca.pem': 'authority of b',
  'd/ca.pem': 'authority of d',
  'a/token': 'rotated\n',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const use = (...paths: string[]): void =>
  void vi.stubEnv('KUBECONFIG', paths.map((path) => path && join(folder, path)).join(':'));

interface Summary {
  current: string;
  /** Server, and the certificate authority as text. */
  clusters: Record<string, [server: string, authority?: string]>;
  users: Record<string, string>;
  contexts: Record<string, [cluster: string, namespace?: string]>;
}

async function ours(): Promise<Summary> {
  const config = await loadKubeConfig();
  const sorted = <Value>(entries: [string, Value][]): Record<string, Value> => Object.fromEntries(entries.sort());
  const authority = (file?: string): string[] => (file === undefined ? [] : [readFileSync(file, 'utf8')]);
  return {
    current: config.getCurrentContext(),
    clusters: sorted(config.getClusters().map(({ name, server, caFile }) => [name, [server, ...authority(caFile)]])),
    users: sorted(config.getUsers().map(({ name, token }) => [name, token ?? ''])),
    contexts: sorted(
      config.getContexts().map((one) => [one.name, [one.cluster, ...(one.namespace ? [one.namespace] : [])]]),
    ),
  } as Summary;
}

/** The reference, with all files written into one. */
function ofKubectl(): Summary {
  const args = ['config', 'view', '--merge', '--flatten', '--output', 'json'];
  const view = JSON.parse(execFileSync('kubectl', args, { encoding: 'utf8' }));
  const decoded = (data?: string): string[] => (data === undefined ? [] : [Buffer.from(data, 'base64').toString()]);
  const byName = (list: { name: string }[] | null, of: (entry: never) => unknown) =>
    Object.fromEntries((list ?? []).map((entry) => [entry.name, of(entry as never)]).sort());
  return {
    current: view['current-context'],
    clusters: byName(view.clusters, ({ cluster }: { cluster: Record<string, string> }) => [
      cluster.server,
      ...decoded(cluster['certificate-authority-data']),
    ]),
    users: byName(view.users, ({ user }: { user: { token: string } }) => user.token),
    contexts: byName(view.contexts, ({ context }: { context: { cluster: string; namespace?: string } }) => [
      context.cluster,
      ...(context.namespace ? [context.namespace] : []),
    ]),
  } as Summary;
}

const kubectlIsMissing = ((): boolean => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
})();

const clusterA: Summary['clusters'] = { one: ['https://a-one:1', 'authority of a'] };
const clusterTwo: Summary['clusters'] = { two: ['https://b-two:1', 'authority of b'] };
const merges: [string, string[], Summary][] = [
  [
    'the first file with a current context sets it, and the first definition of a name is used',
    ['a/config', 'b/config', 'c/config'],
    {
      current: 'second',
      clusters: { ...clusterA, ...clusterTwo },
      users: { u: 'of-a', v: 'v' },
      contexts: { second: ['two'], third: ['one'], x: ['one'] },
    },
  ],
  [
    'the order of files decides',
    ['c/config', 'b/config', 'a/config'],
    {
      current: 'third',
      clusters: { one: ['https://b-one:1'], ...clusterTwo },
      users: { u: 'of-b', v: 'v' },
      contexts: { second: ['two'], third: ['one'], x: ['two', 'b'] },
    },
  ],
  [
    'merge keys have an effect',
    ['d/config'],
    {
      current: 'fourth',
      clusters: { base: ['https://d-base:1', 'authority of d'], four: ['https://d-four:1', 'authority of d'] },
      users: { w: 'w' },
      contexts: { fourth: ['four'] },
    },
  ],
  [
    'missing and empty files and empty places are skipped',
    ['none', 'empty', '', 'b/config', 'none'],
    {
      current: 'second',
      clusters: { one: ['https://b-one:1'], ...clusterTwo },
      users: { u: 'of-b', v: 'v' },
      contexts: { second: ['two'], x: ['two', 'b'] },
    },
  ],
];

describe('several files of KUBECONFIG', () => {
  it.each(merges)('%s', async (_, paths, expected) => {
    use(...paths);
    expect(await ours()).toEqual(expected);
  });

  it.skipIf(kubectlIsMissing).each(merges)('equal those of kubectl: %s', (_, paths, expected) => {
    use(...paths);
    expect(ofKubectl()).toEqual(expected);
  });

  it.each([
    [['none', 'nothing'], /^no kubeconfig: got none of .*none, .*nothing$/],
    [['empty'], /^no cluster and no context in .*empty$/],
    [['b/config', 'a'], /^cannot read .*\/a: EISDIR/],
    [['a/ca.pem'], /^cannot read .*ca\.pem: it is not a kubeconfig$/],
    [['b/config', 'twice'], /^cannot read .*\/twice: got two users with the name u$/],
    [['b/config', 'aliases'], /^cannot read .*\/aliases: Unresolved alias/],
    [['number', 'b/config'], /^cannot read .*\/number: current-context: got 123, expected a text in quotes$/],
  ])('that have no cluster are refused by name: %j', async (paths, message) => {
    use(...paths);
    await expect(loadKubeConfig()).rejects.toMatchObject({
      code: 'TB_CLUSTER_NOT_FOUND',
      message: expect.stringMatching(message),
    });
  });
});

it('entries without a server or a cluster, and further documents, change nothing', async () => {
  use('b/config', 'e/config');
  expect((await loadKubeConfig()).getCurrentCluster()?.server).toBe('https://b-two:1');
});

describe.each(['http://', ''])('a server without TLS, at the address %j', (scheme) => {
  /** The credentials that such a server gets; undefined for requests without. */
  async function credentialsFrom(request: () => Promise<unknown>): Promise<(string | undefined)[]> {
    const seen = new Set<string | undefined>();
    const server = createServer(({ headers }, response) => {
      seen.add(headers.authorization);
      response.setHeader('content-type', 'application/json').end('{"major":"1","minor":"34","gitVersion":"v1.34.0"}');
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `${scheme}127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lists = `clusters: [{ name: one, cluster: { server: "${address}" } }]
contexts: [{ name: x, context: { cluster: one, user: u } }]
users: [{ name: u, user: { token: t } }]
`;
    writeFileSync(join(folder, 'a/plain'), `apiVersion: v1\nkind: Config\ncurrent-context: x\n${lists}`);
    use('a/plain');
    await request();
    return [...seen];
  }

  it('answers, and gets no credentials', async () => {
    const request = async () => (await connectCluster(undefined)).close();
    expect(await credentialsFrom(request)).toEqual([undefined]);
  });

  it.skipIf(kubectlIsMissing)('gets the same from kubectl', async () => {
    const request = () => promisify(execFile)('kubectl', ['get', '--raw', '/version']);
    expect(await credentialsFrom(request)).toEqual([undefined]);
  });
});

/** Options of a request with the credentials of a user. */
async function requestOf(user: string): Promise<RequestOptions> {
  const context = 'contexts: [{ name: x, context: { cluster: one, user: u } }]\ncurrent-context: x\n';
  const cluster = 'clusters: [{ name: one, cluster: { server: "https://a-one:1" } }]\n';
  writeFileSync(join(folder, 'a/own'), `${cluster}${context}users: [{ name: u, user: ${user} }]\n`);
  use('a/own');
  const options: RequestOptions = {};
  await (await loadKubeConfig()).applyToHTTPSOptions(options);
  return options;
}

function plugin(name: string, script: string): void {
  writeFileSync(join(folder, 'a', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'a', name), 0o755);
}

describe('credentials that a kubeconfig refers to', () => {
  it('are read from `tokenFile` next to the kubeconfig, without its line break', async () => {
    const { headers } = await requestOf('{ tokenFile: token, token: old }');
    expect(headers).toMatchObject({ Authorization: 'Bearer rotated' });
  });

  it.each([
    ['without an expiry', '', 1],
    ['that is valid', ',"expirationTimestamp":"2999-01-01T00:00:00Z"', 1],
    ['that has expired', ',"expirationTimestamp":"2001-01-01T00:00:00Z"', 2],
  ])('of a plug-in %s are fetched as often as kubectl does', async (name, expiry, times) => {
    const file = `calls-${name.replaceAll(' ', '-')}`;
    plugin(file, `echo x >> "$0.count"; echo '{"status":{"token":"t"${expiry}}}'`);
    const exec = { apiVersion: 'v1', command: join(folder, 'a', file) };
    const credentials = new ReferredCredentials(new Map([['u', { exec }]]));
    const apply = () => credentials.applyAuthentication({ name: 'u' }, {});
    await Promise.all([apply(), apply()]);
    await apply();
    expect(readFileSync(join(folder, 'a', `${file}.count`), 'utf8')).toBe('x\n'.repeat(times));
  });

  it('are those that a plug-in prints, which is found next to the kubeconfig', async () => {
    const printed = '{"status":{"token":"\'$1-$LEVEL\'","clientCertificateData":"c","clientKeyData":"k"}}';
    plugin('login', `echo "$KUBERNETES_EXEC_INFO" | grep -q '"apiVersion":"v1"' && echo '${printed}'`);
    const exec = '{ apiVersion: v1, command: ./login, args: [t], env: [{ name: LEVEL, value: "3" }] }';
    const { headers, cert, key } = await requestOf(`{ exec: ${exec} }`);
    expect([headers, cert, key]).toEqual([expect.objectContaining({ Authorization: 'Bearer t-3' }), 'c', 'k']);
  });

  it('with a certificate and an empty token have no header', async () => {
    plugin('cert', `echo '{"status":{"token":"","clientCertificateData":"c","clientKeyData":"k"}}'`);
    const { headers, cert, key } = await requestOf('{ exec: { apiVersion: v1, command: ./cert } }');
    expect([Object.keys(headers ?? {}), cert, key]).toEqual([expect.not.arrayContaining(['Authorization']), 'c', 'k']);
  });

  it.each([
    ['{ tokenFile: gone }', /^cannot read the token of the kubeconfig: ENOENT/],
    ['{ exec: { command: no-such-plug-in } }', /^the credential plug-in no-such-plug-in .* is not installed$/],
    ['{ exec: { command: ./refuse } }', /^the credential plug-in .*\/refuse of the kubeconfig failed: log in first$/],
    ['{ tokenFile: blank }', /^the token of the kubeconfig is empty: .*\/blank$/],
    ['{ exec: { command: ./chat } }', /printed no ExecCredential with a token, or a certificate and its key$/],
    ['{ exec: { command: ./keyless } }', /printed no ExecCredential with a token, or a certificate and its key$/],
    ['{ exec: { command: ./vague } }', /printed no ExecCredential with a token, or a certificate and its key$/],
  ])('are missed with an error of their own: %s', async (user, message) => {
    plugin('refuse', 'echo "log in first" >&2; exit 1');
    plugin('chat', 'echo hello');
    plugin('keyless', `echo '{"status":{"clientCertificateData":"c"}}'`);
    plugin('vague', `echo '{"status":{}}'`);
    writeFileSync(join(folder, 'a/blank'), '\n');
    await expect(requestOf(user)).rejects.toMatchObject({
      code: 'TB_CLUSTER_CREDENTIALS',
      message: expect.stringMatching(message),
    });
  });

  it('are not waited for without end', async () => {
    plugin('hang', 'exec sleep 600');
    const exec = { command: join(folder, 'a/hang') };
    const credentials = new ReferredCredentials(new Map([['u', { exec }]]), 200);
    await expect(credentials.applyAuthentication({ name: 'u' }, {})).rejects.toMatchObject({
      code: 'TB_CLUSTER_CREDENTIALS',
      message: expect.stringMatching(/hang of the kubeconfig did not end within 0\.2 s$/),
    });
  });
});
