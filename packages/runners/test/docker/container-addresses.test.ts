/** Addresses of roles, by the forms in which engines report published ports. */
import type { Engine } from '@topo-bench/containers';
import type { RoleConfig } from '@topo-bench/core';
import type { ContainerInspectInfo } from 'dockerode';
import { expect, it } from 'vitest';
import { noticesOf } from '../../src/docker/check.ts';
import { addressesOf, publishedOn } from '../../src/docker/container-addresses.ts';
import type { RunNetwork } from '../../src/docker/run-network.ts';

type Ports = ContainerInspectInfo['NetworkSettings']['Ports'];

const engine = { publishedHost: '192.0.2.7' } as Engine;
const network = (direct: boolean): RunNetwork => ({ name: 'tb-1', direct, remove: async () => undefined });
const service = { kind: 'service' } as RoleConfig;
const gateway = { kind: 'gateway' } as RoleConfig;

const infoOf = (Ports: Ports, IPAddress = '10.1.0.5'): ContainerInspectInfo =>
  ({
    Name: '/tb-1.svc-1',
    NetworkSettings: { Networks: { 'tb-1': { IPAddress } }, Ports },
  }) as unknown as ContainerInspectInfo;

/** Docker: one entry for each address family. */
const docker: Ports = {
  '8080/tcp': [
    { HostIp: '0.0.0.0', HostPort: '40080' },
    { HostIp: '::', HostPort: '40080' },
  ],
  '8081/tcp': [
    { HostIp: '0.0.0.0', HostPort: '40081' },
    { HostIp: '::', HostPort: '40081' },
  ],
  '8815/tcp': [{ HostIp: '0.0.0.0', HostPort: '40815' }],
};

/** Podman: one entry without an address. */
const podman: Ports = {
  '8080/tcp': [{ HostIp: '', HostPort: '40080' }],
  '8081/tcp': [{ HostIp: '', HostPort: '40081' }],
  '8815/tcp': [{ HostIp: '', HostPort: '40815' }],
};

it.each([
  ['Docker', docker],
  ['Podman', podman],
])('are the published ports in the form of %s where containers are not reached directly', (_, ports) => {
  const published = { url: 'http://192.0.2.7:40080', controlUrl: 'http://192.0.2.7:40081' };
  expect(addressesOf(infoOf(ports), service, network(false), engine)).toEqual(published);
  const withFlight = (tls: boolean): RoleConfig =>
    ({ ...service, arrow: { table: { flight: { tls: { enabled: tls } } } } }) as unknown as RoleConfig;
  expect(addressesOf(infoOf(ports), withFlight(false), network(false), engine)).toEqual({
    ...published,
    flightUrl: 'grpc+tcp://192.0.2.7:40815',
  });
  expect(addressesOf(infoOf(ports), withFlight(true), network(false), engine).flightUrl).toBe(
    'grpc+tls://192.0.2.7:40815',
  );
});

it.each([
  ['Docker', docker],
  ['Podman', podman],
])('of a published gateway are announced with its port in the form of %s, of others with their own', (_, ports) => {
  const controlUrl = 'http://10.1.0.5:8081';
  const direct = (config: RoleConfig, of: Ports) => addressesOf(infoOf(of), config, network(true), engine);
  expect(direct(gateway, ports)).toEqual({ url: 'http://192.0.2.7:40080', controlUrl });
  expect(direct(gateway, {})).toEqual({ url: 'http://10.1.0.5:8080', controlUrl });
});

it('are the published ports where the engine gives the container no address, as a rootless one', () => {
  expect(addressesOf(infoOf(podman, ''), service, network(true), engine).url).toBe('http://192.0.2.7:40080');
});

it.each<[string, Ports]>([
  ['no entry', {}],
  ['null', { ...docker, '8080/tcp': null } as unknown as Ports],
  ['an entry without a port', { ...docker, '8080/tcp': [{ HostIp: '0.0.0.0', HostPort: '' }] }],
  ['port 0', { ...docker, '8080/tcp': [{ HostIp: '0.0.0.0', HostPort: '0' }] }],
])('are refused where a port was not published: %s', (_, ports) => {
  expect(() => addressesOf(infoOf(ports), service, network(false), engine)).toThrowError(
    expect.objectContaining({
      code: 'TB_ENGINE_FAILED',
      message: 'the engine did not publish port 8080 of tb-1.svc-1',
      hint: expect.stringContaining('DOCKER_HOST'),
    }),
  );
});

it.each([
  ['127.0.0.1', '127.0.0.1', []],
  ['localhost', '127.0.0.1', []],
  ['::1', '::1', []],
  [
    '192.0.2.7',
    '0.0.0.0',
    [expect.stringMatching(/gateway is open on all addresses of 192\.0\.2\.7, and needs no token/)],
  ],
])('ports of an engine at %s are published on %s, and a notice names an open gateway', (publishedHost, on, notices) => {
  const facts = { cores: 2, local: false } as Engine['facts'];
  expect(publishedOn({ publishedHost })).toBe(on);
  expect(noticesOf({ roles: [], executorOf: [] }, { facts, publishedHost } as Engine)).toEqual(notices);
  // Containers of this machine's own engine are reached without a published port.
  const own = { facts: { ...facts, local: true }, publishedHost } as Engine;
  expect(noticesOf({ roles: [], executorOf: [] }, own)).toEqual([]);
});
