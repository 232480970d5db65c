/** Programs as pods of the built image, on the cluster of the current kubeconfig. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadTable, storeSalesData } from '@topo-bench/sources';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kubernetesOrSkip } from '../../../../../test/fixtures/engines.ts';
import { kubectl } from '../../../../../test/fixtures/kubectl.ts';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import type { LaunchedProgram, Launcher } from '../../src/launch/launcher.ts';
import { createLauncher } from '../../src/launch/launchers.ts';
import { requireWhole } from '../../src/launch/require-whole.ts';

const cluster = await kubernetesOrSkip();
const builtFolder = join(import.meta.dirname, '../../../../cli/dist');
const config = JSON.stringify({ url: 'postgresql://someone:geheim@127.0.0.1:1/db' });

async function textOf({ output }: LaunchedProgram): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Names of the namespaces that this process owns. */
async function namespaces(): Promise<string[]> {
  const owner = 'dev.topo-bench.owner';
  const { stdout } = await kubectl('get', 'namespaces', '-l', owner, '-o', 'json');
  const { items } = JSON.parse(stdout) as { items: { metadata: { name: string; labels: Record<string, string> } }[] };
  return items.flatMap(({ metadata }) => (metadata.labels[owner]?.includes(`.${process.pid}.`) ? [metadata.name] : []));
}

describe.skipIf(cluster.missing)(`a program in a pod${cluster.why}`, () => {
  let launcher: Launcher;
  beforeEach(async () => {
    launcher = await createLauncher('pod', { builtFolder, image: cluster.image });
  });
  afterEach(() => launcher.close(), 120_000);

  const start = (command: string, signal?: AbortSignal): Promise<LaunchedProgram> =>
    launcher.launch({
      program: 'connector',
      args: (pathOf) => ['postgresql', command, ...(command === 'spec' ? [] : ['--config', pathOf('config.json')])],
      files: { 'config.json': config },
      ...(signal && { signal }),
    });

  it('has the output of the same program in a process, in a restricted namespace that is gone at the end', async () => {
    const here = await createLauncher('process', { builtFolder });
    const process = await here.launch({ program: 'connector', args: () => ['postgresql', 'spec'], files: {} });
    const [expected] = (await textOf(process)).split('\n');
    const program = await start('spec');
    const [namespace = ''] = await namespaces();
    const { stdout: level } = await kubectl('get', 'namespace', namespace, '-o', 'jsonpath={.metadata.labels}');
    expect(JSON.parse(level)['pod-security.kubernetes.io/enforce']).toBe('restricted');
    const [spec] = (await textOf(program)).split('\n');
    expect(spec).toBe(expected);
    expect(requireWhole('the connector', await program.ended).outputBytes).toBe(Buffer.byteLength(spec ?? '') + 1);
    const { requestedMs, createdMs, startedMs, firstByteMs, lastByteMs } = program.marks;
    const marks = [requestedMs, createdMs, startedMs, firstByteMs, lastByteMs] as number[];
    expect(marks).toEqual([...marks].sort((one, other) => one - other));

    const checked = await start('check');
    const { stdout: pods } = await kubectl('get', 'pods', '-n', namespace, '-o', 'json');
    expect(pods).not.toContain('geheim');
    expect(await textOf(checked)).toMatch(/"status":"FAILED","message":".*127\.0\.0\.1/);
    await checked.stop();
    const { stdout: left } = await kubectl('get', 'pods,secrets', '-n', namespace, '-o', 'name');
    expect(left.split('\n').filter((name) => name.includes('connector-1'))).toEqual([]);
    await launcher.close();
    expect(await namespaces()).toEqual([]);
  });

  it('ends when its report has been read, since the cluster loses what is on its way at the end', async () => {
    const program = await start('spec');
    const [namespace = ''] = await namespaces();
    await sleep(3000);
    const { stdout: phase } = await kubectl('get', 'pods', '-n', namespace, '-o', 'jsonpath={.items[0].status.phase}');
    expect(phase).toBe('Running');
    await textOf(program);
    requireWhole('the connector', await program.ended);
  });

  it('reads a file of this machine through a volume that is gone with the namespace', async () => {
    const file = join(temporaryFolder(), 'sales.parquet');
    await loadTable({ kind: 'parquet', file }, storeSalesData({ rows: 10, seed: 1 }));
    await launcher.prepare();
    const at = await launcher.filePath(file);
    const [namespace = ''] = await namespaces();
    const volumes = async (): Promise<string[]> => {
      const { stdout } = await kubectl('get', 'persistentvolumes', '-o', 'name');
      return stdout.split('\n').filter((name) => name.includes(namespace));
    };
    expect(await volumes()).toHaveLength(1);
    const program = await launcher.launch({
      program: 'connector',
      args: (pathOf) => ['parquet', 'discover', '--config', pathOf('config.json')],
      files: { 'config.json': JSON.stringify({ files: [at] }) },
    });
    const output = await textOf(program);
    requireWhole('the connector', await program.ended);
    expect(output).toContain('"name":"sales"');
    // The same file again is the same volume.
    expect(await launcher.filePath(file)).toBe(at);
    await launcher.close();
    expect([await namespaces(), await volumes()]).toEqual([[], []]);
  });

  it('is not whole when its pod is deleted, and needs an image that the cluster has', async () => {
    // It waits for a connector, and so runs until it is deleted.
    const settings = {
      host: '0.0.0.0',
      flightPort: 8815,
      inputPort: 8816,
      flightToken: 'a',
      inputToken: 'b',
      batchRows: 1,
    };
    const json_schema = { type: 'object', properties: {} };
    const catalog = { streams: [{ stream: { name: 's', json_schema } }] };
    const program = await launcher.launch({
      program: 'converter',
      args: (pathOf) => ['--config', pathOf('config.json'), '--catalog', pathOf('catalog.json')],
      files: { 'config.json': JSON.stringify(settings), 'catalog.json': JSON.stringify(catalog) },
    });
    const [namespace = ''] = await namespaces();
    await kubectl('delete', 'pod', '-n', namespace, '--all', '--grace-period=0', '--force');
    await textOf(program).catch(() => undefined);
    const end = await program.ended;
    expect(() => requireWhole('the converter', end)).toThrow(expect.objectContaining({ code: 'TB_CONNECTOR_FAILED' }));
    await program.stop();
    const missing = await createLauncher('pod', { builtFolder, image: 'localhost:1/no/such-image:1' });
    try {
      const launch = missing.launch({ program: 'connector', args: () => ['postgresql', 'spec'], files: {} });
      await expect(launch).rejects.toMatchObject({
        code: 'TB_ROLE_NOT_READY',
        exitCode: 3,
        message: expect.stringMatching(/image|Pull/i),
      });
    } finally {
      await missing.close();
    }
  });
});
