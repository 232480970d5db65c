import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { endedByHostAlone } from './fixtures/measured-run.ts';
import { canSeeProcesses } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const key = 'k3y-that-nobody-may-see';
const rotated = 'k3y-of-another-day';
const fromLine = 'k3y-of-the-command-line';

/** Answers 200 when its key has the hash in the other variable. */
const server = `
const { createHash } = require('node:crypto');
const right = createHash('sha256').update(process.env.API_KEY).digest('hex').startsWith(process.argv[2]);
require('node:http').createServer((request, response) => {
  response.statusCode = right ? 200 : 401;
  request.resume().on('end', () => response.end('{}'));
}).listen(process.env.PORT, '127.0.0.1');
`;

/** The start of a hash names a key without showing it. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: secrets
topology: topology.yaml
set: { services.pricing.env.SECOND: ${key}-2 }
factors: { architecture: [sidecar] }
repetitions: 1
load: { rate: 20 }
duration: 1s
drain: 5s
warmup: { max: 0s }
validity: { maxErrorShare: 100% }
`;

describe.skipIf(!canSeeProcesses)('secrets in a run folder (needs /proc)', () => {
  const folder = temporaryFolder();
  const elsewhere = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
  const topologyFile = join(folder, 'topology.yaml');
  const topology = (value: string, startsWith = hashOf(value)): string => `apiVersion: topo-bench/v1
kind: Topology
name: secrets
services:
  - { name: orders }
  - { name: pricing, command: "node server.cjs ${startsWith}", env: { API_KEY: ${value} } }
  - { name: billing, url: "http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/bill" }
`;
  beforeAll(async () => {
    await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
    writeFileSync(topologyFile, topology(key));
    writeFileSync(join(folder, 'experiment.yaml'), experiment);
    writeFileSync(join(folder, 'server.cjs'), server);
  });
  afterAll(() => void elsewhere.close());

  /** Every text of a run folder, of the report too. */
  const textsOf = (run: string): string[] => {
    const files = readdirSync(join(folder, run), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['run.json', 'cells.json', 'report.html', 'pricing.log']),
    );
    return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  };
  const commandLines = (): string[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
        } catch {
          return [];
        }
      });
  const resume = (run: string) => topoBench(['run', '--resume', run, '--json'], { cwd: folder });
  const refusedResume = (run: string) => callTopoBench(['run', '--resume', run], { cwd: folder });
  const forget = (run: string): void => writeFileSync(join(folder, run, 'cells.json'), '[]');
  const errorsOf = (stdout: string): unknown => (JSON.parse(stdout) as { cells: Cell[] }).cells[0]?.errors;

  it('is no variable, and no command line of a process has one either', async () => {
    const running = startTopoBench(['run', 'experiment.yaml', '--json', '--out', 'run'], { cwd: folder });
    const seen = new Set<string>();
    let ended = false;
    void running.ended.then(() => {
      ended = true;
    });
    while (!ended) {
      for (const line of commandLines()) seen.add(line);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { code, stdout, stderr } = await running.ended;
    expect(errorsOf(stdout), stderr).toEqual({});
    endedByHostAlone({ code, stderr }, (JSON.parse(stdout) as { cells: Cell[] }).cells);
    expect([...seen].filter((line) => line.includes('server.cjs'))).not.toEqual([]);
    for (const text of [...textsOf('run'), ...seen, stdout, stderr]) {
      expect(text).not.toContain(key);
    }
    expect(readFileSync(join(folder, 'run/run.json'), 'utf8')).toContain('<not stored>');
  });

  it('does not keep the run from resuming with the variables of its file', async () => {
    forget('run');
    const again = await resume('run');
    expect(errorsOf(again.stdout), again.stderr).toEqual({});
    forget('run');
    writeFileSync(topologyFile, topology(rotated, hashOf(key)));
    const other = await resume('run');
    // The service got the value of now, and refuses it.
    expect(errorsOf(other.stdout), other.stderr).toMatchObject({ 'bad-answer:pricing': expect.any(Number) });
    for (const text of textsOf('run')) for (const secret of [key, rotated]) expect(text).not.toContain(secret);
  });

  it('is required again where the file has changed otherwise, or is gone', async () => {
    forget('run');
    writeFileSync(topologyFile, topology(key).replace('name: orders', 'name: odrers'));
    const changed = await refusedResume('run');
    expect([changed.code, changed.stderr]).toEqual([2, expect.stringContaining('TB_RUN_SECRET_MISSING')]);
    expect(changed.stderr).toContain('topology.yaml is to be read again for its secrets, and has changed since');
    renameSync(topologyFile, join(folder, 'away.yaml'));
    const gone = await refusedResume('run');
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('cannot read topology.yaml')]);
    writeFileSync(topologyFile, topology(key));
  });

  it('is no variable of the command line, and the run that had one cannot resume without it', async () => {
    const set = `topology.services.pricing.env.API_KEY=${fromLine}`;
    const { stderr } = await topoBench(['run', 'experiment.yaml', '--set', set, '--out', 'line'], { cwd: folder });
    for (const text of [...textsOf('line'), stderr]) expect(text).not.toContain(fromLine);
    const { code, stderr: refused } = await refusedResume('line');
    expect([code, refused]).toEqual([2, expect.stringContaining('a variable of a service was given with --set')]);
  });
});
