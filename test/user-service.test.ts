import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { childrenOf, isAlive } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

/**
 * A little server as a user has it: knows nothing of topo-bench, checks its token because it can, and returns its name.
 */
const server = `
const http = require('node:http');
if (process.argv[2] === 'dies') { console.error('no price list found'); process.exit(3); }
const port = process.argv[2] === 'deaf' ? 0 : process.env.PORT;
http.createServer((request, response) => {
  if (request.url === '/healthy') return response.end('fine');
  if (process.argv[2] === 'open') return response.end('{"price":1}');
  let text = '';
  request.on('data', (chunk) => { text += chunk; }).on('end', () => {
    const fits = request.method === 'POST' && request.url === '/price' && request.headers['x-request-id'] !== undefined
      && request.headers['x-topo-token'] === process.env.TOPO_BENCH_TOKEN && JSON.stringify(Object.keys(JSON.parse(text))) === process.env.FIELDS;
    response.statusCode = fits ? 200 : 400;
    response.end('{"price":1}');
  });
}).listen(port, '127.0.0.1', () => console.log('pid ' + process.pid));
`;

const topology = (pricing: string): string => `apiVersion: topo-bench/v1
kind: Topology
name: shop
services: [{ name: orders }, ${pricing}, { name: billing }]
requests: { classes: [{ name: order, origin: eu, payload: { customer: { category: personal }, items: { category: none } } }] }
rules: rules.yaml
# Long round trips: the delays of a busy machine are small compared with them.
defaults: { work: { mean: 40ms, kind: wait } }
`;

const rules = `apiVersion: topo-bench/v1
kind: Rules
name: shop
rules:
  - { id: no-names, effect: redact, redact: { remove: [/customer] }, when: { all: [{ fact: target, path: $.service, operator: equal, value: pricing }] } }
`;

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: shop
topology: topology.yaml
factors: { architecture: [none, central-entity, dynamic-router-1, sidecar] }
repetitions: 1
load: { rate: 40 }
duration: 500ms
drain: 5s
warmup: { max: 0s }
# The tests that run next to this one are foreign load.
validity: { remeasure: 0%, smallestDifference: 100% }
`;

describe("the user's own service", () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const file = write('experiment.yaml', experiment);
  write('rules.yaml', rules);
  write('server.cjs', server);
  const command = (fields: string[], mode = ''): string =>
    `{ name: pricing, command: "node server.cjs ${mode}", path: /price, health: /healthy, readyWithin: 20s, env: { FIELDS: '${JSON.stringify(fields)}' } }`;

  it('runs behind every enforcement architecture, gets its copy of the payload, and is measured', async () => {
    write('topology.yaml', topology(command(['items'])));
    const args = [
      'run',
      file,
      '--json',
      '--set',
      'topology.enforcement.style=forward',
      '--only',
      'architecture=central-entity,dynamic-router-1,sidecar',
      '--out',
    ];
    const { cells, stderr } = await measuredRun(topoBench([...args, join(folder, 'run')]));
    expect(cells, stderr).toHaveLength(3);
    for (const { outcomes, errors, cpuUsPerRequest, decisions, hops, factors, validity } of cells) {
      expect([errors, outcomes.error, outcomes.unfinished]).toEqual([{}, 0, 0]);
      expect(validity.flags).not.toContain('open-service');
      expect(outcomes.completed).toBeGreaterThan(0);
      expect([decisions.redact, decisions.wrong]).toEqual([outcomes.completed, 0]);
      expect(hops.perRequest).toBe(factors.architecture === 'sidecar' ? 7 : 5);
      expect(cpuUsPerRequest.service).toBeGreaterThan(0);
    }
  });

  it.each(process.env.LONG_SERIES ? ['forward', 'nested'] : ['nested'])(
    'without enforcement has its flow carried by the role next to it, in %s style',
    async (style) => {
      write('topology.yaml', topology(command(['customer', 'items'])));
      const args = ['run', file, '--json', '--set', `style=${style}`, '--only', 'architecture=none', '--out'];
      const { cells, stderr } = await measuredRun(topoBench([...args, join(folder, `none-${style}`)]));
      const [cell] = cells;
      expect([cell.errors, cell.outcomes.completed === 0], stderr).toEqual([{}, false]);
      expect(cell.hops.perRequest).toBe(style === 'forward' ? 5 : 4);
      expect(cell.cpuUsPerRequest.carrier).toBeGreaterThan(0);
    },
  );

  it('that takes calls without its token is found by the run, with one warning', async () => {
    write('topology.yaml', topology(command(['items'], 'open')));
    const args = ['--only', 'architecture=sidecar', '--set', 'repetitions=2', '--out', join(folder, 'open')];
    const { cells, stderr } = await measuredRun(topoBench(['run', file, '--json', ...args]));
    for (const { validity, deployment } of cells) {
      expect(validity.flags, stderr).toContain('open-service');
      expect(deployment?.openServices).toEqual([{ service: 'pricing', takes: 'without a token' }]);
    }
    expect(stderr.match(/warning: pricing answers calls without a token/g)).toHaveLength(1);
    const { stdout } = await callTopoBench(['report', join(folder, 'open'), '--format', 'md']);
    expect(stdout).toContain('Enforcement can be bypassed: pricing answers calls without a token');
  });

  it('that dies is named with its last lines', async () => {
    write('topology.yaml', topology(command(['items'], 'dies')));
    const { code, stderr } = await topoBench([
      'run',
      file,
      '--only',
      'architecture=sidecar',
      '--out',
      join(folder, 'dead'),
    ]);
    expect(stderr).toContain(
      'error TB_USER_SERVICE: pricing: its command "node server.cjs dies" ended with exit code 3',
    );
    expect(stderr).toContain('| no price list found');
    expect(code).toBe(2);
  });

  it('that does not get ready is reported with the address where it should have listened', async () => {
    write('topology.yaml', topology(command(['items'], 'deaf').replace('20s', '1s')));
    const { code, stderr } = await topoBench([
      'run',
      file,
      '--only',
      'architecture=sidecar',
      '--out',
      join(folder, 'deaf'),
    ]);
    expect(stderr).toMatch(
      /TB_USER_SERVICE: pricing: its command "node server.cjs deaf" was not ready on port \d+ within 1 s/,
    );
    expect(stderr).toContain('the port in the environment variable PORT and answer GET /healthy with 2xx');
    expect(code).toBe(2);
  });

  it('as an image ends the run with exit code 3 and the way out, before anything is started', async () => {
    write('topology.yaml', topology('{ name: pricing, image: "shop/pricing:2" }'));
    const { code, stderr } = await callTopoBench([
      'run',
      file,
      '--only',
      'architecture=sidecar',
      '--out',
      join(folder, 'image'),
    ]);
    expect(stderr).toContain('TB_RUNNER_NEEDS_CONTAINERS: "pricing" is the image shop/pricing:2');
    expect(stderr).toContain('write `url: http://127.0.0.1:PORT` in place of `image`');
    expect(code).toBe(3);
    expect(existsSync(join(folder, 'image'))).toBe(false);
    const up = await callTopoBench(['up', join(folder, 'topology.yaml')]);
    expect([up.code, up.stderr]).toEqual([3, expect.stringContaining('TB_RUNNER_NEEDS_CONTAINERS')]);
  });

  it('ends with topo-bench, however that ends', async () => {
    write('topology.yaml', topology(command(['customer', 'items'])));
    const running = startTopoBench(['up', join(folder, 'topology.yaml'), '--logs', join(folder, 'logs')]);
    await running.saw('gateway:', 'stdout');
    const pid = Number(/pid (\d+)/.exec(readFileSync(join(folder, 'logs', 'pricing.log'), 'utf8'))?.[1]);
    expect(isAlive(pid)).toBe(true);
    running.process.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
  });

  it('ends with the process of its role, also when that is killed', async () => {
    write('topology.yaml', topology(command(['customer', 'items'])));
    const logs = join(folder, 'killed-logs');
    const running = startTopoBench(['up', join(folder, 'topology.yaml'), '--logs', logs]);
    await running.saw('gateway:', 'stdout');
    const pid = Number(/pid (\d+)/.exec(readFileSync(join(logs, 'pricing.log'), 'utf8'))?.[1]);
    const role = childrenOf(running.pid).find(({ commandLine }) => commandLine.endsWith(' pricing '));
    process.kill((role as { pid: number }).pid, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
    running.process.kill('SIGINT');
    await running.ended;
  });

  it('is refused with fields that are none of its own', async () => {
    write('topology.yaml', topology('{ name: pricing, url: "ftp://somewhere", work: 1ms, port: 80 }'));
    const { code, stdout } = await callTopoBench(['validate', join(folder, 'topology.yaml'), '--json']);
    const { problems } = JSON.parse(stdout) as { problems: { code: string; message: string }[] };
    expect(code).toBe(2);
    expect(problems.map(({ message }) => message).toSorted()).toEqual([
      'port of "pricing": only a command or an image has it, not a url',
      'url of "pricing": "ftp://somewhere" is not an http or https URL',
      'work of "pricing": your own service (url) decides that itself',
    ]);
  });
});

describe("the user's own service where it already runs", () => {
  const seen: IncomingMessage['headers'][] = [];
  const running = createServer((request, response) => {
    if (request.url === '/price?tier=1') seen.push(request.headers);
    request.resume().on('end', () => response.end('{}'));
  });
  const folder = temporaryFolder();
  beforeAll(() => new Promise<void>((resolve) => void running.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void running.close());

  it('is called at its URL, and its use is not reported', async () => {
    const url = `http://127.0.0.1:${(running.address() as AddressInfo).port}/price?tier=1`;
    writeFileSync(
      join(folder, 'topology.yaml'),
      topology(`{ name: pricing, url: "${url}" }`).replace('rules: rules.yaml', ''),
    );
    writeFileSync(join(folder, 'experiment.yaml'), experiment);
    const args = ['run', join(folder, 'experiment.yaml'), '--only', 'architecture=sidecar', '--json', '--out'];
    const { cells, stderr } = await measuredRun(topoBench([...args, join(folder, 'run')]));
    const [cell] = cells;
    expect([cell.errors, cell.resources.service?.processes], stderr).toEqual([{}, 2]);
    expect(seen).toHaveLength(cell.outcomes.completed);
    expect(seen[0]).toMatchObject({ 'content-type': 'application/json', 'x-request-id': expect.any(String) });
  });
});
