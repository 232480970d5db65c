/** The command of an answer runs as it stands: the command line reads the same choices from it. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRun } from '@topo-bench/results';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { explainDecision } from '../../../src/commands/mcp/tools/explain.ts';
import { simulate } from '../../../src/commands/mcp/tools/measure.ts';
import { validate } from '../../../src/commands/mcp/tools/validate.ts';
import { callTopoBench } from '../../fixtures/in-process.ts';
import { head, mcpFolder } from '../../fixtures/mcp-folder.ts';

const folder = mcpFolder();
const rules = `${head}kind: Rules
name: rules
rules:
  - { id: no-health, when: { fact: request, path: $.categories, operator: contains, value: health }, effect: deny }
`;
const calibration = 'assumed-two-cores';

/** A tool of this name reports with which words and input a shell calls it. */
const bin = temporaryFolder();
const told = join(bin, 'input');
const teller = `#!/bin/sh\ncase "$*" in */dev/stdin*) cat > '${told}';; esac\nprintf '%s\\0' "$@"\n`;
writeFileSync(join(bin, 'topo-bench'), teller, { mode: 0o755 });

const typed = (command: string) => {
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const words = execFileSync('sh', ['-c', command], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
  const args = words.map((word) => (word === '/dev/stdin' ? told : word));
  return callTopoBench(args, { cwd: process.cwd() });
};

describe('the command of an answer', () => {
  it('of simulate has a name with a space, and a value in JSON', async () => {
    const experiment = folder.experiment("the shop's.yaml");
    const set = { 'factors.rate': [20, 40], description: '200', 'topology.name': 'shop-2' };
    const asked = { experiment, calibration, set, only: { rate: ['40'] }, repetitions: 1, maxSeconds: 60 };
    const { command, runDir } = (await simulate(asked, await folder.context())) as { command: string; runDir: string };
    const { code, stderr } = await typed(`${command} --out again --quiet`);
    expect(code, stderr).toBe(0);
    const [first, again] = await Promise.all([openRun(runDir), openRun('again')]);
    expect(again.record.experiment).toEqual(first.record.experiment);
    expect(again.record.plannedCells).toEqual(first.record.plannedCells);
    expect(first.record.command).toContain('factors.rate=[20,40]');
  });

  it('of validate has the name of the file', async () => {
    folder.experiment('my shop.yaml');
    const { command } = (await validate({ file: 'my shop.yaml' }, await folder.context())) as { command: string };
    expect((await typed(command)).code).toBe(0);
  });

  it('of explain decides the same request, without a placeholder', async () => {
    folder.write('the rules.yaml', rules);
    folder.write(
      'ruled.yaml',
      `${head}kind: Topology\nname: ruled\nservices: [{ name: shop }, { name: stock }]\nrules: the rules.yaml\n`,
    );
    const request = { origin: 'eu', categories: ['health'], payload: { note: "it's" } };
    const asked = { topology: 'ruled.yaml', service: 'stock', request, visited: ['shop'] };
    const answer = await explainDecision(asked as never, await folder.context());
    const { command, facts, decision } = answer as { command: string; facts: object; decision: object };
    expect(decision).toMatchObject({ effect: 'deny', rule: 'no-health' });
    const { code, stdout, stderr } = await typed(`${command} --json`);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject(JSON.parse(JSON.stringify({ facts, decision })));
  });

  it('of explain is absent where the topology names no rules', async () => {
    const asked = { topology: 'chain.yaml', service: 'stock', request: { origin: 'eu' }, visited: [] };
    expect(await explainDecision(asked as never, await folder.context())).not.toHaveProperty('command');
  });
});
