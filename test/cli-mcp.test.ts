/** The server of the Model Context Protocol in a process of its own, asked by the client of the official SDK. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

const outside = temporaryFolder();
const folder = join(outside, 'inside');
const head = 'apiVersion: topo-bench/v1\n';
mkdirSync(folder);
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
write('chain.yaml', `${head}kind: Topology\nname: chain\nservices: [{ generate: 2 }]\nrules: rules.yaml\n`);
write(
  'rules.yaml',
  `${head}kind: Rules
name: rules
rules:
  - { id: no-health, when: { fact: request, path: $.categories, operator: contains, value: health }, effect: deny }
`,
);
const experiment = (topology: string) => `${head}kind: Experiment
name: shop
topology: ${topology}
factors: { architecture: [central-entity, sidecar] }
load: { rate: 40 }
duration: 1s
warmup: { requests: 20, max: 1s }
repetitions: 2
deploy: interleaved
`;
write('shop.yaml', experiment('chain.yaml'));
write('leak.yaml', experiment('../secret.yaml'));
writeFileSync(join(outside, 'secret.yaml'), 'password: hunter2\n');
symlinkSync(join(outside, 'secret.yaml'), join(folder, 'link.yaml'));

const client = new Client({ name: 'test', version: '1' });

beforeAll(async () => {
  const command = join(root, 'packages/cli/bin/topo-bench.js');
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], cwd: folder }));
});
afterAll(() => client.close());

type Answer = Record<string, never> & { error?: { code: string; message: string; hint?: string } };

async function call(name: string, input: Record<string, unknown>, options = {}) {
  const { structuredContent, isError = false } = await client.callTool({ name, arguments: input }, options);
  return { isError, answer: structuredContent as Answer };
}

describe('topo-bench mcp', () => {
  it('lists its tools with schemas', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['compare', 'explain', 'run', 'simulate', 'validate']);
    for (const { inputSchema } of tools) expect(inputSchema.type).toBe('object');
  });

  it('validates a file, and explains which rule decides', async () => {
    const { answer } = await call('validate', { file: 'shop.yaml' });
    expect(answer).toMatchObject({ valid: true, command: 'topo-bench validate shop.yaml' });
    const request = { origin: 'eu', categories: ['health'] };
    const denied = await call('explain', { topology: 'chain.yaml', service: 'svc-1', request });
    expect(denied.answer).toMatchObject({ decision: { effect: 'deny', rule: 'no-health' } });
    const misplaced = await client.callTool({ name: 'validate', arguments: { file: 'shop.yaml', rate: 3 } });
    expect([misplaced.isError, JSON.stringify(misplaced.content)]).toEqual([true, expect.stringContaining('rate')]);
    const unknown = await call('explain', { topology: 'chain.yaml', service: 'svc', request });
    expect(unknown).toMatchObject({
      isError: true,
      answer: { error: { code: 'TB_TOPOLOGY_UNKNOWN_SERVICE', hint: expect.stringContaining('svc-1') } },
    });
  });

  it('simulates with progress, and compares the levels of that run', async () => {
    const progress: number[] = [];
    const { answer } = await call(
      'simulate',
      { experiment: 'shop.yaml', calibration: 'assumed-two-cores', repetitions: 6 },
      { onprogress: ({ progress: done }: { progress: number }) => progress.push(done) },
    );
    expect(answer).toMatchObject({
      source: 'simulated',
      simulation: expect.stringContaining('assumptions'),
      error: expect.stringContaining('unknown'),
      validity: { valid: 12, repetitions: 12 },
      command: 'topo-bench simulate shop.yaml --calibration assumed-two-cores --repetitions 6',
    });
    const [cell] = answer.cells as unknown as { rttMedian: { medianMs: number; interval95Ms: number[] } }[];
    const { medianMs = 0, interval95Ms: [low, high] = [] } = cell?.rttMedian ?? {};
    expect([low ?? 0, high ?? 0]).toEqual([expect.any(Number), expect.any(Number)]);
    expect((low as number) <= medianMs && medianMs <= (high as number)).toBe(true);
    expect(progress.length).toBeGreaterThan(1);
    const compared = await call('compare', { runs: [answer.runDir], within: 'architecture' });
    expect(compared.answer).toMatchObject({
      metric: 'rtt.median',
      source: 'simulated',
      cells: [{ interval95Percent: [expect.any(Number), expect.any(Number)], repetitions: [6, 6] }],
    });
  });

  it('measures a small experiment within its time, and refuses one that takes longer', async () => {
    const { isError, answer } = await call(
      'run',
      { experiment: 'shop.yaml', only: { architecture: ['sidecar'] }, repetitions: 1 },
      { timeout: 120_000 },
    );
    expect(isError, JSON.stringify(answer)).toBe(false);
    expect(answer).toMatchObject({
      source: 'measured',
      validity: { repetitions: 1 },
      command: 'topo-bench run shop.yaml --only architecture=sidecar --repetitions 1',
    });
    const long = await call('run', { experiment: 'shop.yaml', repetitions: 100, maxSeconds: 5 });
    expect(long).toMatchObject({
      isError: true,
      answer: { error: { code: 'TB_USAGE', message: expect.stringContaining('more than the 5 s allowed') } },
    });
  }, 150_000);

  it('reads no file outside, whichever way leads there, and shows nothing of it', async () => {
    const calls = await Promise.all([
      call('validate', { file: '../secret.yaml' }),
      call('validate', { file: 'link.yaml' }),
      call('validate', { file: '/etc/passwd' }),
      call('compare', { runs: [outside], within: 'rate' }),
      call('simulate', { experiment: 'leak.yaml', calibration: 'assumed-two-cores' }),
      call('simulate', { experiment: 'shop.yaml', calibration: '../secret.yaml' }),
      call('explain', { topology: '../secret.yaml', service: 'a', request: { origin: 'eu' } }),
    ]);
    for (const { isError, answer } of calls) {
      expect([isError, answer.error?.code]).toEqual([true, 'TB_USAGE']);
      expect(answer.error?.message).toContain('is outside the folders that this server may read');
      expect(JSON.stringify(answer)).not.toContain('hunter2');
    }
    const leaking = await call('validate', { file: 'leak.yaml' });
    expect(leaking.answer).toMatchObject({ valid: false });
    expect(JSON.stringify(leaking.answer)).not.toContain('password');
  });

  it('ends a run that the client cancels, and serves the next question', async () => {
    const controller = new AbortController();
    const slow = call(
      'simulate',
      { experiment: 'shop.yaml', calibration: 'assumed-two-cores', repetitions: 100, set: { duration: '60s' } },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 300);
    await expect(slow).rejects.toThrow();
    expect((await call('validate', { file: 'shop.yaml' })).answer).toMatchObject({ valid: true });
  });
});
