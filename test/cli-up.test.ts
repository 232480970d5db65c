import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { allGone, canSeeProcesses, childrenOf } from './fixtures/processes.ts';
import { smallRules, temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
const env = { XDG_STATE_HOME: join(folder, 'state') };
writeSmallFiles(folder);
const options = { cwd: folder, env };

describe('up and down', () => {
  it('keep a topology running, with a curl line that works, until it is stopped', async () => {
    const run = startTopoBench(['up', 'topology.yaml', '--set', 'architecture=sidecar'], options);
    await run.saw('Ctrl-C stops it');
    await run.saw('curl', 'stdout');
    const twice = await callTopoBench(['up', 'topology.yaml'], options);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('TB_UP_ALREADY_RUNNING')]);
    const down = await callTopoBench(['down', 'topology.yaml'], options);
    expect(down.code).toBe(0);
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('small is up: 5 processes, sidecar\n');
    const again = await callTopoBench(['down', 'topology.yaml'], options);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('TB_UP_NOT_RUNNING')]);
  });

  it('change their rules with the rule file on request, and keep those in force when the new ones cannot be used', async () => {
    const own = join(folder, 'watched');
    mkdirSync(own);
    writeSmallFiles(own);
    const args = ['up', 'topology.yaml', '--set', 'architecture=sidecar', '--watch-rules', '--json'];
    const run = startTopoBench(args, { cwd: own, env });
    await run.saw('\n', 'stdout');
    const { gatewayUrl } = JSON.parse(run.stdout()) as { gatewayUrl: string };
    const ruleOf = async (): Promise<string | undefined> => {
      const facts = { class: 'private', origin: 'eu', categories: ['personal'], consents: [], purpose: 'contract' };
      const answer = await fetch(`${gatewayUrl}/requests`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...facts, payload: {} }),
      });
      return ((await answer.json()) as { rule?: string }).rule;
    };
    expect(await ruleOf()).toBe('eu-data-stays');
    const file = join(own, 'rules.yaml');
    writeFileSync(file, smallRules.replaceAll('eu-data-stays', 'data-stays'));
    await run.saw('rules 1 (');
    expect(await ruleOf()).toBe('data-stays');
    writeFileSync(file, smallRules.replace('effect: deny\n', 'effect: denied\n'));
    await run.saw(/the rules in force stay:\n[\s\S]*rules\.yaml:6:13/);
    expect(await ruleOf()).toBe('data-stays');
    writeFileSync(file, smallRules.replaceAll('eu-data-stays', 'no-export'));
    await run.saw('rules 2 (');
    expect(await ruleOf()).toBe('no-export');
    expect((await callTopoBench(['down', 'topology.yaml'], { cwd: own, env })).code).toBe(0);
    expect((await run.ended).code).toBe(0);
  });

  it.runIf(canSeeProcesses)('end when a role dies, also while they watch their rules', async () => {
    const own = join(folder, 'dying');
    mkdirSync(own);
    writeSmallFiles(own);
    // The logs of a failure are kept.
    const args = ['up', 'topology.yaml', '--set', 'architecture=sidecar', '--watch-rules', '--logs', 'logs'];
    const run = startTopoBench(args, { cwd: own, env });
    await run.saw('Ctrl-C stops it');
    const [role] = childrenOf(run.pid);
    process.kill(role?.pid as number, 'SIGKILL');
    await run.saw('TB_ROLE_DIED');
    expect((await run.ended).code).toBe(4);
  });

  it('refuse to watch rules that nothing enforces', async () => {
    const { code, stderr } = await callTopoBench(
      ['up', 'topology.yaml', '--set', 'architecture=none', '--watch-rules'],
      options,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('nothing enforces them under none')]);
  });

  it('stop every topology with --all', async () => {
    const run = startTopoBench(['up', 'topology.yaml'], options);
    await run.saw('Ctrl-C stops it');
    // No engine, so that nothing of other tests is removed.
    const nothing = { DOCKER_HOST: `unix://${folder}/none.sock`, KUBECONFIG: join(folder, 'none') };
    const alone = { ...options, env: { ...env, ...nothing } };
    const down = await callTopoBench(['down', '--all', '--json'], alone);
    expect([down.code, down.stderr.replace(/^note: .*\n/gm, '')]).toEqual([0, '']);
    expect(JSON.parse(down.stdout)).toMatchObject({
      stopped: [{ topology: join(folder, 'topology.yaml'), pid: run.pid }],
      removed: [],
    });
    expect((await run.ended).code).toBe(0);
    const again = await callTopoBench(['down', '--all'], alone);
    expect([again.code, again.stdout]).toEqual([0, 'nothing runs, and nothing is left over\n']);
  });

  it('print one line of JSON when everything is ready, and leave nothing behind', async () => {
    const run = startTopoBench(['up', 'topology.yaml', '--json'], options);
    await run.saw('\n', 'stdout');
    const { gatewayUrl, services } = JSON.parse(run.stdout()) as {
      gatewayUrl: string;
      services: { name: string; role: string; url: string }[];
    };
    expect(services.map(({ name, role }) => [name, role])).toEqual([
      ['gateway', 'gateway'],
      ['orders', 'service'],
      ['scoring', 'service'],
    ]);
    const body = JSON.stringify({
      class: 'plain',
      origin: 'us',
      categories: [],
      consents: [],
      purpose: 'contract',
      payload: {},
    });
    const response = await fetch(`${gatewayUrl}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([response.status, Number(response.headers.get('x-topo-rtt-us')) > 0]).toEqual([200, true]);
    expect(await response.json()).toMatchObject({ outcome: 'completed', hops: 3 });
    const pids = canSeeProcesses ? childrenOf(run.pid).map(({ pid }) => pid) : [];
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(0);
    await allGone(pids);
  });

  it('name the port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await topoBench(
      ['up', 'topology.yaml', '--port', String(port), '--logs', 'logs'],
      options,
    );
    server.close();
    expect(stderr).toContain('error TB_ROLE_PORT_TAKEN: gateway cannot listen');
    expect(code).toBe(3);
  });

  it('leave no folder behind when nothing could start', async () => {
    const temporary = temporaryFolder();
    const topology = join(temporaryFolder(), 'image.yaml');
    writeFileSync(
      topology,
      'apiVersion: topo-bench/v1\nkind: Topology\nname: image\nnodes: [{ name: eu-1, region: eu }]\nservices: [{ name: pricing, image: "shop/pricing:2" }]\nenforcement: { architecture: sidecar }\n',
    );
    const { code, stderr } = await callTopoBench(['up', topology], { ...options, env: { ...env, TMPDIR: temporary } });
    expect(stderr).toContain('TB_RUNNER_NEEDS_CONTAINERS');
    expect(code).toBe(3);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("a user's own service", () => {
  it('is not advertised past its enforcement point', async () => {
    const topology = `apiVersion: topo-bench/v1
kind: Topology
name: own
services: [{ name: orders }, { name: pricing, command: "node -e \\"require('http').createServer((q, a) => a.end('{}')).listen(process.env.PORT)\\"" }]
rules: ${JSON.stringify(join(folder, 'rules.yaml'))}
`;
    const file = join(folder, 'own.yaml');
    writeFileSync(file, topology);
    const run = startTopoBench(['up', file, '--set', 'architecture=sidecar', '--json'], options);
    await run.saw('\n', 'stdout');
    const { gatewayUrl, services } = JSON.parse(run.stdout()) as {
      gatewayUrl: string;
      services: { name: string; url: string }[];
    };
    run.process.kill('SIGTERM');
    await run.ended;
    expect(services.find(({ name }) => name === 'pricing')).toEqual({
      name: 'pricing',
      role: 'service',
      url: `${gatewayUrl}/requests`,
      enforcedBy: 'pricing-sidecar',
    });
  });
});
