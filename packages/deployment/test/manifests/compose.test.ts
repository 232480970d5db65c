import { architectures } from '@topo-bench/core';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hostNameOf } from '../../src/host-name.ts';
import { type ComposeOptions, composeFiles, composeSecrets } from '../../src/manifests/index.ts';
import { planDeployment } from '../../src/plan-deployment.ts';

interface Service {
  image: string;
  ports?: string[];
  volumes: { type: string; source: string; target: string; read_only: boolean }[];
  [setting: string]: unknown;
}

function project(changes: Partial<TopologyInput> = {}): ComposeOptions {
  const graph = graphOf({
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 't',
    nodes: [
      { name: 'a', region: 'eu' },
      { name: 'b', region: 'us' },
    ],
    services: [{ name: 'on' }, { name: 'Order_Entry' }],
    enforcement: { architecture: 'sidecar' },
    ...changes,
  });
  const origin = { version: '1.2.3', command: 'topo-bench generate t' };
  return {
    graph,
    plan: planDeployment(graph),
    seed: 1,
    origin,
    image: 'some/image:1',
    request: `{"a":"it's"}`,
    port: 8080,
  };
}

function composeOf(options: ComposeOptions): { text: string; services: Record<string, Service> } {
  const text = composeFiles(options).find(({ path }) => path === 'docker-compose.yml')!.text;
  // As docker-compose 1.29 reads it.
  return { text, services: parse(text, { version: '1.1' }).services };
}

describe('a Compose project', () => {
  it.each(architectures)('has one service per role, under its host name: %s', (architecture) => {
    const options = project({ enforcement: { architecture } });
    const { services } = composeOf(options);
    expect(Object.keys(services)).toEqual(options.plan.roles.map(({ name }) => hostNameOf(name)));
  });

  it('publishes the gateway of each region, at ports that follow', () => {
    const { services } = composeOf(project({ gateways: 'per region' }));
    expect(services.gateway?.ports).toEqual([`127.0.0.1:\${TOPO_BENCH_GATEWAY_PORT:-8080}:8080`]);
    expect(services['gateway-us']?.ports).toEqual([`127.0.0.1:\${TOPO_BENCH_GATEWAY_US_PORT:-8081}:8080`]);
    expect(Object.values(services).filter(({ ports }) => ports !== undefined)).toHaveLength(2);
  });

  it('has a service for each replica', () => {
    const { services } = composeOf(project({ enforcement: { architecture: 'central-entity', replicas: 2 } }));
    expect(Object.keys(services).slice(0, 3)).toEqual(['gateway', 'central-entity', 'central-entity-2']);
  });

  it('gives every role the least rights', () => {
    for (const service of Object.values(composeOf(project()).services)) {
      expect(service).toMatchObject({
        user: '1000:1000',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        pids_limit: 1024,
        mem_limit: 4 * 1024 ** 3,
        tmpfs: ['/tmp'],
      });
      expect(service.volumes.map((volume) => [volume.type, volume.read_only])).toEqual(Array(3).fill(['bind', true]));
    }
  });

  it('publishes the gateway alone, on loopback', () => {
    const { services } = composeOf(project());
    expect(Object.entries(services).flatMap(([name, { ports }]) => (ports ? [[name, ports]] : []))).toEqual([
      ['gateway', [`127.0.0.1:\${TOPO_BENCH_GATEWAY_PORT:-8080}:8080`]],
    ]);
  });

  it('mounts only files that it has, and the secrets of no other role', () => {
    const options = project();
    const written = [...composeFiles(options), ...composeSecrets({ ...options, secret: 's' })].map(({ path }) => path);
    for (const [name, { volumes }] of Object.entries(composeOf(options).services)) {
      expect(written).toEqual(expect.arrayContaining(volumes.map(({ source }) => source.slice('./'.length))));
      const secrets = volumes.filter(({ source }) => source.startsWith('./secrets/'));
      expect(secrets.map(({ source }) => source)).toEqual([`./secrets/${name}.json`]);
    }
  });

  it('has addresses of peers that are services of the project', () => {
    const options = project();
    const hosts = Object.keys(composeOf(options).services);
    const configs = composeFiles(options).filter(({ path }) => path.startsWith('config/'));
    const urls = configs.flatMap(({ text }) =>
      Object.values(JSON.parse(text).peers as Record<string, { url: string }>).map(({ url }) => new URL(url).hostname),
    );
    expect(new Set(urls)).toEqual(new Set(hosts));
  });

  it('has no secret in the files to commit, and is the same every time', () => {
    const options = project();
    const committed = composeFiles(options);
    const secrets = composeSecrets({ ...options, secret: 's' });
    expect(committed).toEqual(composeFiles(project()));
    const tokens = secrets.flatMap(({ text }) => text.match(/[\w-]{43}/g) ?? []);
    expect(tokens.length).toBeGreaterThan(10);
    for (const token of tokens) for (const { text } of committed) expect(text).not.toContain(token);
    expect(secrets.every(({ path }) => path.startsWith('secrets/'))).toBe(true);
  });

  it('limits the roles that the topology limits, swap included', () => {
    const { services } = composeOf(project({ services: [{ name: 'a', limits: { cpus: 0.5, memory: '64MiB' } }] }));
    expect(services.a).toMatchObject({ cpus: 0.5, mem_limit: 64 * 1024 ** 2, memswap_limit: 64 * 1024 ** 2 });
    expect(services.gateway).not.toHaveProperty('cpus');
  });

  it('opens with what it is, and a command that a shell reads as meant', () => {
    const { text } = composeOf(project());
    expect(text).toMatch(/^# t: 5 roles, enforcement architecture sidecar\.\n/);
    expect(text).toContain('topo-bench generate t\n');
    expect(text).toContain(`-d '{"a":"it'\\''s"}'`);
  });

  it('calls a user-supplied service at its own address, and refuses one that needs this machine', () => {
    const at = (service: object) => project({ services: [{ name: 'own', ...service }, { name: 'other' }] });
    const configs = composeFiles(at({ url: 'http://own.example:9000/in' }));
    const sidecar = configs.find(({ path }) => path === 'config/own-sidecar.json')!;
    expect(JSON.parse(sidecar.text).peers.own.url).toBe('http://own.example:9000');
    expect(() => composeFiles(at({ command: 'node server.js' }))).toThrow(/own: got a service with `command`/);
  });

  it('starts a service that keeps data when its store is filled, and no other service later', () => {
    const options = project({ services: [{ name: 'a', persistence: { store: 'sql-indexed' } }, { name: 'b' }] });
    const server = { host: 'db.postgresql', image: 'postgres:17', env: { FILE: '/access' }, accessFile: '/access' };
    const { services } = composeOf({ ...options, databases: [server] });
    const waiting = Object.entries(services).flatMap(([name, one]) => (one.depends_on ? [[name, one.depends_on]] : []));
    expect(waiting).toEqual([
      ['a', { 'db.prepare': { condition: 'service_completed_successfully' } }],
      ['db.prepare', ['db.postgresql']],
    ]);
    expect(services['db.postgresql']).toEqual({
      image: 'postgres:17',
      environment: { FILE: '/access' },
      cap_drop: ['NET_RAW', 'MKNOD', 'SETFCAP'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: 4096,
      mem_limit: 4 * 1024 ** 3,
      memswap_limit: 4 * 1024 ** 3,
      volumes: [{ type: 'bind', source: './secrets/db.postgresql.conf', target: '/access', read_only: true }],
    });
  });

  it('limits memory where the topology has no limit, and as the topology has it elsewhere', () => {
    const { services } = composeOf(
      project({
        services: [
          { name: 'own', image: 'own:1' },
          { name: 'b', limits: { memory: '64MiB' } },
        ],
      }),
    );
    const memory = Object.values(services).map((service) => (service as { mem_limit?: number }).mem_limit);
    expect(memory).toContain(64 * 1024 ** 2);
    expect(memory.every((bytes) => bytes === 64 * 1024 ** 2 || bytes === 4 * 1024 ** 3)).toBe(true);
  });

  it('limits processes and rights of user images, which keep what their entrypoints need', () => {
    const { services } = composeOf(project({ services: [{ name: 'own', image: 'own:1' }] }));
    const own = Object.values(services).find((service) => (service as { image?: string }).image === 'own:1');
    expect(own).toMatchObject({ pids_limit: 4096, security_opt: ['no-new-privileges:true'] });
    const dropped = (own as unknown as { cap_drop: string[] }).cap_drop;
    // The entrypoint of the official image of PostgreSQL starts as root and changes the owner of its folder.
    for (const needed of ['ALL', 'CHOWN', 'SETUID', 'SETGID', 'DAC_OVERRIDE', 'FOWNER'])
      expect(dropped).not.toContain(needed);
    expect(dropped).toContain('NET_RAW');
  });
});
