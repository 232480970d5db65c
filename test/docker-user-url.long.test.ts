/** A user-supplied service that already runs on this machine, for roles in containers of a real engine. */
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createForwarder } from 'node:net';
import { join } from 'node:path';
import { serverReach } from '@topo-bench/containers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dockerOrSkip } from './fixtures/engines.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const found = await dockerOrSkip();
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: shop
topology: topology.yaml
factors: { architecture: [none, sidecar] }
repetitions: 1
load: { rate: 20 }
duration: 500ms
drain: 10s
warmup: { max: 0s }
validity: { remeasure: 0%, smallestDifference: 100% }
runner: docker
`;

describe.skipIf(found.missing)(`a user-supplied service at a loopback address${found.why}`, () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'experiment.yaml'), experiment);
  let served = 0;

  /** Starts the service on this machine's loopback address alone. */
  async function start(): Promise<number> {
    const server: Server = createServer((request, response) => {
      served++;
      request.resume().on('end', () => setTimeout(() => response.end('{}'), 40));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const topology = `apiVersion: topo-bench/v1
kind: Topology
name: shop
services: [{ name: pricing, url: "http://localhost:${port}/price" }]
requests: { classes: [{ name: order, origin: eu, payload: { items: { category: none } } }] }
`;
    writeFileSync(join(folder, 'topology.yaml'), topology);
    return port;
  }

  it('is refused before anything starts where containers do not reach it, with the way out', async () => {
    const port = await start();
    const { loopback } = await serverReach(await found.engine);
    const { code, stderr } = await topoBench(['run', 'experiment.yaml', '--out', 'refused'], { cwd: folder });
    expect(stderr).toContain(
      `TB_RUNNER_CANNOT_REACH: "pricing" at http://localhost:${port} does not accept connections at http://${loopback}:${port}`,
    );
    expect(stderr).toContain(`let it listen on ${loopback} as well`);
    expect(code).toBe(3);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  it('is called where it also listens at an address that they reach', async () => {
    const port = await start();
    const { loopback } = await serverReach(await found.engine);
    const forwarder = createForwarder((socket) => {
      const to = connect(port, '127.0.0.1');
      socket.pipe(to).pipe(socket);
      for (const end of [socket, to]) end.on('error', () => end.destroy());
    });
    await new Promise<void>((resolve) => forwarder.listen(port, loopback, resolve));
    onTestFinished(() => void forwarder.close());
    served = 0;
    const { cells, stderr } = await measuredRun(
      topoBench(['run', 'experiment.yaml', '--json', '--out', 'run'], { cwd: folder }),
    );
    expect(cells, stderr).toHaveLength(2);
    for (const { errors, outcomes } of cells) expect([errors, outcomes.error]).toEqual([{}, 0]);
    const completed = cells.reduce((sum, { outcomes }) => sum + outcomes.completed, 0);
    expect(completed).toBeGreaterThan(10);
    expect(served).toBe(completed);
  });
});
