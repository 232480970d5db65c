/** Credentials of addresses, wherever a verb has them from, are in no output. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

const here = temporaryFolder();
const address = 'ann:s3cret@127.0.0.1:1';
const kubeconfig = join(here, 'kubeconfig');
writeFileSync(
  kubeconfig,
  `apiVersion: v1
kind: Config
current-context: c
clusters: [{ name: c, cluster: { server: "https://${address}" } }]
contexts: [{ name: c, context: { cluster: c, user: u } }]
users: [{ name: u, user: { token: t } }]
`,
);
const nothing = join(here, 'home');
mkdirSync(nothing);
const docker = { DOCKER_HOST: `tcp://${address}`, KUBECONFIG: join(here, 'none') };
const kubernetes = { DOCKER_HOST: 'tcp://127.0.0.1:1', KUBECONFIG: kubeconfig };

it.each<[string, Record<string, string>, RegExp]>([
  ['doctor', docker, /127\.0\.0\.1:1/],
  ['doctor --json', docker, /127\.0\.0\.1:1/],
  ['run quickstart --runner docker --out never', docker, /127\.0\.0\.1:1/],
  ['run quickstart --runner kubernetes --out never', kubernetes, /127\.0\.0\.1:1/],
  ['up quickstart --runner docker', docker, /127\.0\.0\.1:1/],
  ['down --all', docker, /127\.0\.0\.1:1/],
  ['down --all', kubernetes, /127\.0\.0\.1:1/],
  [`validate http://${address}`, {}, /127\.0\.0\.1:1/],
  [`validate http://${address} --json`, {}, /127\.0\.0\.1:1/],
  [`run http://${address}/e.yaml`, {}, /127\.0\.0\.1:1/],
  [`load http://${address}/ --duration 1s --rate 1 --json`, {}, /127\.0\.0\.1:1/],
  [`run persistence-small --postgres-url postgresql://${address}/ --out never`, {}, /127\.0\.0\.1:1/],
])('%s prints addresses without user and password', { timeout: 60_000 }, async (line, variables, shown) => {
  const env = { HOME: nothing, TOPO_BENCH_STATE: here, ...variables };
  const { stdout, stderr } = await callTopoBench(line.split(' '), { cwd: here, env });
  expect(stdout + stderr).toMatch(shown);
  expect(stdout + stderr).not.toContain('s3cret');
});
