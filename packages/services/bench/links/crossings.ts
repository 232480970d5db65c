/**
 * One service on another node than its caller: its answers cross a link. A call from its own node crosses none and
 * takes the time that reading, answering and recording cost; what a crossing takes beyond that and the stated delay is
 * its excess.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { headers, type RoleStats } from '@topo-bench/core';
import { deploymentDocuments, type Placement, planDeployment } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology';
import type { FullConfig } from '../../src/full-config.ts';
import { fullConfigs } from '../../test/fixtures/deployment.ts';
import type { RoleProcess } from '../../test/role-process.ts';

const loopback: Placement = {
  listen: () => ({ host: '127.0.0.1', port: 0 }),
  urlOf: () => undefined,
  storeUrl: (url) => url,
  network: 'simulated',
};
const recorder = fileURLToPath(new URL('./recorder.mjs', import.meta.url));

export interface Crossings {
  /**
   * Of each crossing, from the call's departure to the answer's arrival as the recorder saw them, in order of
   * departure.
   */
  elapsedUs: number[];
  /** CPU time of the service per call. */
  cpuUs: number;
}

export interface LinkedService {
  /** Sends calls over the link (or, with `linked: false`, from the service's own node) at even intervals. */
  measure(options: { linked: boolean; perSecond: number; seconds: number }): Promise<Crossings>;
}

/** @param role a process of the entry that has not been configured yet */
export async function startLinkedService(role: RoleProcess, delay: string, jitter = '0ms'): Promise<LinkedService> {
  const config = serviceConfig(delay, jitter);
  const { url } = await role.listening(config);
  role.write('{"peers":{}}\n');
  await role.line();
  const control = (method: string, path: string): Promise<Response> =>
    fetch(`${url}/control/${path}`, { method, headers: { [headers.control]: config.secrets.controlToken } });
  return {
    measure: async ({ linked, perSecond, seconds }) => {
      const calls = Array.from({ length: Math.round(perSecond * seconds) }, (_, i) => ({
        atMs: 200 + (i * 1000) / perSecond,
        text: call(config, `${linked}-${perSecond}-${i}`, linked ? 0 : config.node),
      }));
      await control('POST', 'reset');
      const elapsedUs = await record(Number(new URL(url).port), calls);
      const { cpuUs } = (await (await control('GET', 'stats')).json()) as RoleStats;
      return { elapsedUs, cpuUs: cpuUs / calls.length };
    },
  };
}

function serviceConfig(delay: string, jitter: string): FullConfig {
  const graph = graphOf({
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 'links',
    nodes: [
      { name: 'near', region: 'eu' },
      { name: 'far', region: 'us' },
    ],
    links: [{ from: 'near', to: 'far', delay, jitter }],
    services: [{ name: 'distant', node: 'far', work: '0ms', responseSize: '0B' }],
    enforcement: { architecture: 'central-entity' },
  });
  const deployed = { graph, plan: planDeployment(graph), seed: 1, secret: 'secret of the bench', place: loopback };
  return fullConfigs(deploymentDocuments(deployed)).find(({ name }) => name === 'distant')!;
}

function call({ secrets }: FullConfig, id: string, from: number): string {
  const body = JSON.stringify({ id, from, hop: 1, request: { payload: {} } });
  return [
    'POST /work HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `${headers.token}: ${secrets.token}`,
    '',
    body,
  ].join('\r\n');
}

async function record(port: number, calls: { text: string; atMs: number }[]): Promise<number[]> {
  const child = spawn(process.execPath, [recorder], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ port, calls }));
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`the recorder ended with ${code}`);
  return JSON.parse(printed) as number[];
}
